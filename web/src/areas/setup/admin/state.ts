import { useQuery } from '@tanstack/react-query'
import { gateways, readiness } from '../../../api/admin-reads.ts'
import { useMay } from '../../../api/permissions.ts'
import { shop } from '../../tenants/admin/index.ts'

/** The steps of the first run, in the recommended order. */
export const STEPS = ['seller', 'brand', 'mail', 'payments', 'panel', 'product'] as const

export type StepName = (typeof STEPS)[number]

/** The readiness checks of each step. */
const KEYS: Readonly<Record<StepName, readonly string[]>> = {
  seller: ['seller', 'tax'],
  brand: [],
  mail: ['mail'],
  payments: ['gateway'],
  panel: ['panel'],
  product: ['product'],
}

export type Step = {
  readonly name: StepName
  readonly isDone: boolean
  /** The open items, as described by the service. */
  readonly todo: string | null
}

/** The progress of the set-up, from the actual state and not from completed forms. */
export function useSteps() {
  const may = useMay()
  const query = useQuery({ ...readiness, enabled: may('shop:read') })
  const own = useQuery({ ...shop, enabled: may('shop:read') })
  const ways = useQuery({ ...gateways, enabled: may('gateways:read') }).data?.data
  const items = query.data?.items ?? []
  const steps = STEPS.map((name): Step => {
    const open = items.filter(({ key, state }) => KEYS[name].includes(key) && state === 'missing')
    const isDone = {
      ...{ seller: open.length === 0, mail: open.length === 0, panel: open.length === 0 },
      ...{ product: open.length === 0, brand: own.data?.brand.primaryColor != null },
      // Test mode is sufficient: the shop can be tried before the live keys exist.
      payments: ways?.some(({ enabled, status }) => enabled && status === 'ok') ?? false,
    }[name]
    return { name, isDone, todo: open.map(({ todo }) => todo).join(' ') || null }
  })
  return { query, steps, items, sells: query.data?.sells ?? false }
}
