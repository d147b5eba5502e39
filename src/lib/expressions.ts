import { createContext, Script } from 'node:vm'

const LIMIT_MS = 200
const context = createContext(Object.create(null))

/** A regular expression from another system. */
export type Expression = { readonly source: string; readonly flags: string }

/**
 * Whether a text matches an expression of another system; undefined if that cannot be determined, because the
 * expression is not valid here or takes too long on this text.
 */
export function matchesExpression(
  { source, flags }: Expression,
  text: string,
): boolean | undefined {
  const call = JSON.stringify([source, flags, text])
  try {
    const script = new Script(`(([s, f, t]) => new RegExp(s, f).test(t))(${call})`)
    return script.runInContext(context, { timeout: LIMIT_MS }) === true
  } catch {
    return undefined
  }
}

/** Whether an expression is valid here. */
export function isExpression({ source, flags }: Expression): boolean {
  return matchesExpression({ source, flags }, '') !== undefined
}
