import { invalid } from './errors.ts'
import { wholeList } from './list.ts'
import type { Sandbox } from './sandbox.ts'
import type { Store } from './store.ts'

type Node = Record<string, unknown>

const DEEPEST = 4

/** The table an id's prefix points at. */
const TABLES: Record<string, keyof Store> = {
  cus: 'customers',
  pm: 'paymentMethods',
  seti: 'setupIntents',
  pi: 'paymentIntents',
  ch: 'charges',
  cs: 'sessions',
  re: 'refunds',
  du: 'disputes',
  txn: 'balanceTransactions',
  prod: 'products',
  price: 'prices',
  bpc: 'portalConfigurations',
}

/** A copy of an answer with the ids at `paths` replaced by what they name. 400 for a wrong path. */
export function expanded(sandbox: Sandbox, answer: object, paths: readonly string[]): object {
  const copy: object = structuredClone(answer)
  for (const path of paths) {
    const segments = path.split('.')
    if (segments.length > DEEPEST + (segments[0] === 'data' ? 1 : 0)) {
      throw invalid(`You cannot expand more than ${DEEPEST} levels of a property (${path}).`, {
        param: 'expand',
      })
    }
    expandAt(sandbox, copy as Node, segments, path)
  }
  return copy
}

function expandAt(sandbox: Sandbox, node: Node, segments: string[], path: string): void {
  const [segment = '', ...rest] = segments
  let value = node[segment]
  if (segment === 'id') throw cannotExpand(path)
  if (typeof value === 'string') {
    value = find(sandbox, value)
    if (value === undefined) throw cannotExpand(path)
    node[segment] = value
  } else if (value === undefined) {
    value = includable(sandbox, node, segment)
    if (value === undefined) throw cannotExpand(path)
    node[segment] = value
  } else if (rest.length === 0 && typeof value !== 'object') throw cannotExpand(path)
  for (const inner of Array.isArray(value) ? value : [value]) {
    if (rest.length > 0 && isNode(inner)) expandAt(sandbox, inner, rest, path)
  }
}

function find({ store }: Sandbox, id: string): object | undefined {
  const table = TABLES[id.slice(0, id.indexOf('_'))]
  const found: unknown = (table && store[table].get(id)) ?? store.deletedCustomers.get(id)
  return isNode(found) ? structuredClone(found) : undefined
}

/** What an object can show and does not unless asked. */
function includable({ store }: Sandbox, node: Node, segment: string): object | undefined {
  const id = String(node.id)
  if (node.object === 'checkout.session' && segment === 'line_items') {
    const lines = store.plans.get(id)?.lines ?? []
    return wholeList(`/v1/checkout/sessions/${id}/line_items`, structuredClone(lines))
  }
  if (node.object === 'charge' && segment === 'refunds') {
    const refunds = [...store.refunds.values()].filter((it) => it.charge === id)
    return wholeList(`/v1/charges/${id}/refunds`, structuredClone(refunds).reverse())
  }
  return undefined
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}

function cannotExpand(path: string) {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}
