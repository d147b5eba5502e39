import type { Texts } from '../texts/index.ts'

type Cycle = { readonly interval: keyof Texts['interval']; readonly intervalCount: number }

/** How often something is paid: "a month", "every 3 months". */
export function intervalText(texts: Texts, { interval, intervalCount }: Cycle): string {
  return texts.interval[interval](intervalCount)
}
