/** Notes below a table, and what they say about its rows. */
import { AMOUNTS, type ExecutiveCompensation as Row } from "../../domain/row-fields.ts";
import { type Html, html } from "../../lib/html.ts";
import { type RowCells } from "../../dataset/company-facts.ts";
import { type RemarksOf } from "../../dataset/remarks.ts";

/** Notes below a table, each once, with a number where it is referred to. */
export class Footnotes {
  private readonly notes: string[] = [];

  constructor(private readonly id: string) {}

  /** The numbers that refer to notes. */
  mark(...texts: readonly string[]): Html {
    return html`${texts.map((text) => {
      if (!this.notes.includes(text)) this.notes.push(text);
      const number = this.notes.indexOf(text) + 1;
      // Letters: the filings of a printed page have numbers.
      const letter = number > 26 ? String(number) : String.fromCodePoint(96 + number);
      return html`<sup><a href="#${this.id}-${number}" aria-label="Note ${letter}">${letter}</a></sup>`;
    })}`;
  }

  /** The notes, in the order of their numbers. */
  list(): Html | false {
    return (
      this.notes.length > 0 &&
      html`<ol class="foot" type="a">
        ${this.notes.map((text, at) => html`<li id="${this.id}-${at + 1}">${unbroken(text)}</li>`)}
      </ol>`
    );
  }
}

/** Text with its dates and accession numbers each kept on one line. */
function unbroken(text: string): Html {
  const parts = text.split(/(\d+-\d\d-\d+)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<span class="whole">${part}</span>` : part))}`;
}

/** What the tables of a page say about their rows. */
export interface RowNotes {
  cells: RowCells;
  remarks: RemarksOf;
}

/** The notes on a row: that every cell is a dash, then the remarks. */
export function rowNotes(row: Row, { cells, remarks }: RowNotes): string[] {
  const isBlank = AMOUNTS.every((name) => row[name] === 0 && !cells.isPrintedZero(row, name));
  const blank = "The filing prints no amounts for this year, not even a total, so every amount is zero.";
  return [...(isBlank ? [blank] : []), ...remarks(row).map(({ message }) => message)];
}
