const NAME_WIDTH = 46
const TIME_WIDTH = 9

/** What the demo tells whoever watches. */
export type Report = {
  title(text: string): void
  line(text?: string): void
  /** Does a step, and tells how long it took and what came of it. */
  step<T>(name: string, work: () => Promise<T>, result?: (value: T) => string): Promise<T>
}

/** Reports line by line. */
export function reportTo(write: (line: string) => void): Report {
  return {
    title: (text) => write(`\n${text}`),
    line: (text = '') => write(text),
    async step(name, work, result) {
      const startedMs = performance.now()
      const value = await work()
      const time = `${Math.round(performance.now() - startedMs)} ms`.padStart(TIME_WIDTH)
      const told = result?.(value) ?? ''
      write(`  ${name.padEnd(NAME_WIDTH)}${time}  ${told}`.trimEnd())
      return value
    },
  }
}

/** `1299` cents as `12.99 EUR`. */
export function money(cents: number, currency: string): string {
  return `${(cents / 100).toFixed(2)} ${currency}`
}
