/**
 * arktype as we use it: configured, and with no keywords but those of our definitions. Import it from here, and only where it is
 * needed. The package's index would also make a schema for each of its several hundred (docs/decisions/executable.md).
 */
import "./arktype-config.ts";
import type { type as arktype } from "arktype";
import { $arkTypeRegistry, Scope } from "arktype/internal/scope.js";

export type { Type } from "arktype";
/** The type of a definition's values. */
export type Infer<Definition> = arktype.infer<Definition>;

const { boolean, integer, null: none, number: root, string, unknown } = $arkTypeRegistry.intrinsic;
const number = Scope.module({ root, integer });
const scope = new Scope({ boolean, null: none, number, string, unknown }, { prereducedAliases: true });

// A definition with one of the other keywords, which the type has, throws when its schema is made: tests make them all.
export const type = scope.type as unknown as typeof arktype;
