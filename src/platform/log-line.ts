/** A line of the log for people: time, level, message, then the other fields; errors below it. */
export function prettyLine(json: string, coloured: boolean): string {
  const { time, level, msg, err, ...rest } = JSON.parse(json) as Record<string, unknown>
  const paint = (code: number, text: string) =>
    coloured ? `\u001B[${code}m${text}\u001B[0m` : text
  const label = String(level).toUpperCase().padEnd(5)
  const facts = Object.entries(rest)
    .filter(([name, value]) => value !== null && !(name === 'event' && value === msg))
    .map(([name, value]) => {
      return `${name}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`
    })
  const head = `${paint(GREY, String(time).slice(11, 23))} ${paint(COLOURS[String(level)] ?? GREY, label)}`
  const line = [head, printable(String(msg ?? '')), paint(GREY, facts.join(' '))].filter(Boolean)
  const { stack, message } = (err ?? {}) as { stack?: string; message?: string }
  const trace = err ? (stack ?? message ?? '').split('\n').map((it) => `\n  ${printable(it)}`) : []
  return `${line.join(' ').trimEnd()}${trace.join('')}\n`
}

const GREY = 90
const COLOURS: Record<string, number> = { info: 36, warn: 33, error: 31, fatal: 31, debug: 90 }

/** Replaces control characters and line breaks: text of callers must not control a terminal or forge log lines. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, ' ')
}
