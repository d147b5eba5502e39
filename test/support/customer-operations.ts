import type { Json } from '#platform/http/components.ts'
import type { Client } from './client.ts'
import { type Example, type Operation, operationsOf } from './examples.ts'

type Security = readonly Readonly<Record<string, readonly string[]>>[]

/** The operations that a customer without permissions can call: with a session, an API key, or no credential. */
export function customerOperations(document: Json): Operation[] {
  return operationsOf(document).filter(({ described }) => {
    const ways = (described.security ?? []) as Security
    const isOpen = ways.length === 0 || ways.some((way) => Object.keys(way).length === 0)
    return isOpen || ways.some(({ session }) => session?.length === 0)
  })
}

/**
 * The path of an operation for one account: the newest object of the list that it belongs to, or that of the
 * recorded example, which does not exist.
 */
export async function ownPath(
  me: Client,
  { path }: Operation,
  example: Example,
  known: ReadonlySet<string>,
): Promise<string> {
  const [list = ''] = path.split('/{')
  if (!path.includes('{') || list.includes('/auth/') || !known.has(list)) return example.path
  const { body } = await me.get(list)
  const own = (body?.data ?? body?.items)?.[0]
  return own?.id ? path.replace(/\{\w+\}/, own.id).replace(/\{\w+\}/g, own.id) : example.path
}
