const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/**
 * One line of a CSV file (RFC 4180), with its line end. Text that a spreadsheet would run as a
 * formula gets an apostrophe in front; numbers stay numbers, and null is an empty cell.
 */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | boolean | null): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  if (FORMULA.test(value)) return `"'${value.replaceAll('"', '""')}"`
  return QUOTED.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
