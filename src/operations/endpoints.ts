/** The endpoints of REST by name. */
import { ceoPayEndpoint, ceoPayStatisticsEndpoint } from "./ceo-pay.ts";
import { companiesEndpoint } from "./companies.ts";
import { compensationEndpoint, factsEndpoint, tickersEndpoint } from "./compensation.ts";
import { exportEndpoint } from "./export.ts";
import { queryEndpoint } from "./query.ts";
import { statisticsEndpoint } from "./statistics.ts";

/** In the order of the OpenAPI document. */
export const ENDPOINTS = {
  compensation: compensationEndpoint,
  tickers: tickersEndpoint,
  query: queryEndpoint,
  statistics: statisticsEndpoint,
  export: exportEndpoint,
  ceoPay: ceoPayEndpoint,
  ceoPayStatistics: ceoPayStatisticsEndpoint,
  companies: companiesEndpoint,
  facts: factsEndpoint,
} as const;

/** The name of an endpoint. */
export type EndpointName = keyof typeof ENDPOINTS;
