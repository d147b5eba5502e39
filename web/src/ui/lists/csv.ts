/** A table as CSV (RFC 4180), with a byte order mark so that spreadsheets read accents. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): Blob {
  const text = rows.map((cells) => cells.map(field).join(',')).join('\r\n')
  return new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv;charset=utf-8' })
}

function field(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // Escapes text that a spreadsheet would evaluate as a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
