import { useQuery } from '@tanstack/react-query'
import { client, read } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'
import { readiness, shop } from '../../tenants/admin/index.ts'
import { STEPS, type StepName } from './steps.ts'

/** The enabled ways to pay; a shop has few. */
export const gateways = read(['gateways'], (signal) =>
  client.GET('/v1/admin/gateways', { params: { query: { limit: 100 } }, signal }),
)

/** What the service looks at for each step. */
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
  /** What is left to do, in the words of the service. */
  readonly todo: string | null
}

/** How far the shop is, from how things are and not from what was clicked. */
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
      // Test mode counts: the shop can be tried out before the keys of the account are there.
      payments: ways?.some(({ enabled, status }) => enabled && status === 'ok') ?? false,
    }[name]
    return { name, isDone, todo: open.map(({ todo }) => todo).join(' ') || null }
  })
  return { query, steps, items, sells: query.data?.sells ?? false }
}

/** Whether money is only tried out: an enabled gateway is in test mode. */
export function useTestMode(): boolean {
  const may = useMay()
  const query = useQuery({ ...gateways, enabled: may('gateways:read') })
  return query.data?.data.some(({ enabled, mode }) => enabled && mode === 'test') ?? false
}
