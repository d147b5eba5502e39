import type { Intent } from './actions.ts'
import { answerOf } from './client.ts'

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>

/** The object that a form edits: how it is read, and its fields as the form has them. */
export type Edited<T, Fields> = {
  readonly read: () => Answer<T>
  readonly fieldsOf: (object: T) => Fields
}

/** Someone else saved other values after the form was filled. Nothing was sent. */
export class ChangedMeanwhile<Fields> extends Error {
  override readonly name = 'ChangedMeanwhile'
  readonly fields: Fields

  constructor(fields: Fields) {
    super('The object has changed since it was read.')
    this.fields = fields
  }
}

type Edit<Fields, Output> = {
  readonly edited: Edited<Output, Fields>
  /** The saved values that the form was filled with. */
  readonly base: Fields
  readonly wanted: Fields
  readonly send: (intent: Intent) => Answer<Output>
}

const CHANGED = 412
/** The most tries of an edit: an object rarely changes between its read and the edit. */
const MOST_TRIES = 3

/**
 * Sends an edit if the fields still have the values that the form was filled with. Otherwise throws
 * `ChangedMeanwhile`. Changes of other fields of the object do not matter: a form sends only its own fields.
 */
export async function sendEdit<Fields, Output>(
  { edited, base, wanted, send }: Edit<Fields, Output>,
  intent: Intent,
): Answer<Output> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await edited.read()
    const fields = edited.fieldsOf(await answerOf(Promise.resolve(found)))
    const version = found.response.headers.get('etag')
    // The values of the form may be saved already, by a request whose response was lost.
    if (!isSame(fields, base) && !isSame(fields, wanted)) throw new ChangedMeanwhile(fields)
    const headers = { ...intent.headers, ...(version !== null && { 'If-Match': version }) }
    const answer = await send({ headers })
    if (answer.response.status !== CHANGED || attempt === MOST_TRIES) return answer
  }
}

type Merged<Fields> = {
  readonly fields: Fields
  /** The fields that both sides changed, by the last part of their path, with the value that was saved meanwhile. */
  readonly conflicts: Readonly<Record<string, unknown>>
}

/** The input `mine` over the saved values `theirs`: fields that the input left as in `base` follow `theirs`. */
export function merge<Fields extends object>(
  base: Fields,
  mine: Fields,
  theirs: Fields,
): Merged<Fields> {
  const conflicts: Record<string, unknown> = {}
  const fields = merged(base, mine, theirs, conflicts)
  return { fields: fields as Fields, conflicts }
}

function merged(
  base: object,
  mine: object,
  theirs: object,
  conflicts: Record<string, unknown>,
): object {
  const names = new Set([...Object.keys(theirs), ...Object.keys(mine)])
  return Object.fromEntries(
    [...names].map((name) => {
      const [was, own, other] = [base, mine, theirs].map(
        (it) => (it as Readonly<Record<string, unknown>>)[name],
      )
      if (isSame(own, was) || isSame(own, other)) return [name, other]
      if (isSame(other, was)) return [name, own]
      if (isGroup(was) && isGroup(own) && isGroup(other)) {
        return [name, merged(was, own, other, conflicts)]
      }
      if (isTexts(was) && isTexts(own) && isTexts(other))
        return [name, mergedTexts(was, own, other)]
      conflicts[name.replace(/^.*\./, '')] = other
      return [name, own]
    }),
  )
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Merges two changes of a list such as permissions: what either added, without what either removed. */
function mergedTexts(was: readonly string[], own: readonly string[], other: readonly string[]) {
  const theirs = other.filter((it) => own.includes(it) || !was.includes(it))
  return [...theirs, ...own.filter((it) => !was.includes(it) && !other.includes(it))]
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((it) => typeof it === 'string')
}

/** Whether two values are the same as JSON. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}
