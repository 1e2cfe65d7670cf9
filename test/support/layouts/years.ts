import type { Choices } from "./plan.ts";

/** The label that a filer prints for a fiscal year; each of them means `year`. */
export function yearLabel(year: number, form: Choices["yearLabel"]): string {
  const two = (value: number) => String(value % 100).padStart(2, "0");
  switch (form) {
    case "2024":
    case "noted":
      return String(year);
    case "FY2024":
      return `FY${year}`;
    case "FY24":
      return `FY${two(year)}`;
    case "FY 2024":
      return `FY ${year}`;
    case "Fiscal 2024":
      return `Fiscal ${year}`;
    case "2023-24":
      return `${year - 1}-${two(year)}`;
    case "2023-2024":
      return `${year - 1}-${year}`;
    case "2023/24":
      return `${year - 1}/${two(year)}`;
    case "12/31/2024":
      return `12/31/${year}`;
    case "December 31, 2024":
      return `December 31, ${year}`;
    case "FP24":
      return `FP${two(year)}`;
    case "Fiscal Period 2024":
      return `Fiscal Period ${year}`;
    case "Jan 31, 2024":
      return `Jan. 31, ${year}`;
  }
}
