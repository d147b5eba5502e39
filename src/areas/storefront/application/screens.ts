import { Refusal, type Visit } from '../visit.ts'

/** What the first paint of a screen needs, known before its script runs. */
type Screen = {
  /** The module in `web/` that draws it. */
  readonly module: string
  /** A part of it that it loads by itself. */
  readonly part?: string
  /** The file with texts that only this screen needs. */
  readonly texts?: string
  /** What it reads immediately, besides what every screen reads. */
  readonly reads?: (place: Place) => Reads
}

type Place = { readonly id: string; readonly query: string }
/** API paths, by the names under which the application finds their responses (`web/src/api/boot.ts`). */
type Reads = Readonly<Record<string, string>>

/** Navigation, badges and the account menu of every screen of the customer area. */
const OF_FRAME = {
  me: '/v1/users/me',
  services: '/v1/services?limit=100',
  summary: '/v1/users/me/summary',
  unread: '/v1/notifications/unread-count',
} satisfies Reads

const AREAS = 'src/areas'
const service = ({ id }: Place) => ({ service: `/v1/services/${id}` })
const INCIDENTS: Reads = { incidents: '/v1/incidents' }

/** The screens of the customer area. `:id` matches one segment of the path. */
const SCREENS: Readonly<Record<string, Screen>> = {
  '/home': {
    module: `${AREAS}/home/home.tsx`,
    reads: () => ({ newest: '/v1/notifications', ...INCIDENTS }),
  },
  '/servers': { module: `${AREAS}/services/servers.tsx`, reads: () => INCIDENTS },
  '/servers/:id': {
    module: `${AREAS}/services/overview.tsx`,
    reads: (place) => ({ ...service(place), ...INCIDENTS }),
  },
  '/servers/:id/activity': { module: `${AREAS}/services/activity.tsx`, reads: service },
  '/servers/:id/startup': { module: `${AREAS}/services/startup.tsx`, reads: service },
  '/servers/:id/people': { module: `${AREAS}/services/people.tsx`, reads: service },
  '/servers/:id/plan': { module: `${AREAS}/services/plan.tsx`, reads: service },
  '/orders': { module: `${AREAS}/billing/orders.tsx` },
  '/invoices': {
    module: `${AREAS}/billing/invoices.tsx`,
    // A filtered list is a different read.
    reads: ({ query }) => (query === '' ? { invoices: '/v1/billing/invoices' } : {}),
  },
  '/invoices/:id': { module: `${AREAS}/billing/invoice.tsx` },
  '/credit-notes/:id': { module: `${AREAS}/billing/credit-note.tsx` },
  '/payment': { module: `${AREAS}/billing/payment.tsx` },
  '/invite-friends': { module: `${AREAS}/affiliation/affiliation.tsx`, texts: 'affiliation' },
  '/tickets': { module: `${AREAS}/support/tickets.tsx` },
  '/tickets/:id': {
    ...{ module: `${AREAS}/support/ticket.tsx`, part: `${AREAS}/support/files/field.tsx` },
    texts: 'attachments',
  },
  '/notifications': { module: `${AREAS}/notifications/all.tsx` },
  '/account': { module: `${AREAS}/account/profile.tsx` },
  '/account/security': { module: `${AREAS}/account/security.tsx` },
  '/account/access': { module: `${AREAS}/account/access.tsx` },
  '/account/messages': { module: `${AREAS}/account/messages.tsx` },
  '/account/data': { module: `${AREAS}/account/data.tsx` },
}

/** The parts of the build that frame the screens of the customer area, and of the administration. */
const CUSTOMER = 'customer'
const DESK = 'desk'

/** The first screen of the administration; parts that a role may not read are refused, and left out. */
const OVERVIEW = {
  module: `${AREAS}/home/admin/overview.tsx`,
  reads: {
    attention: '/v1/admin/attention',
    dashboard: '/v1/admin/dashboard',
    recurring: '/v1/admin/reports/mrr?interval=month&format=json',
    readiness: '/v1/admin/readiness',
  },
}

type FirstScreen = {
  /** The modules that draw it, including its frame and its language. */
  readonly modules: readonly string[]
  readonly reads: Reads
}

/** What the screen at an address needs first; for an unknown address, only what all screens need. */
export function firstScreen(address: string, locale: string): FirstScreen {
  const [path = '', query = ''] = address.split('?')
  const parts = path.split('/')
  const isId = parts.length > 2 && !path.startsWith('/account')
  const pattern = isId ? ['', parts[1], ':id', ...parts.slice(3)].join('/') : path
  const screen = SCREENS[pattern]
  const language = `src/texts/${locale}/index.ts`
  if (path.startsWith('/admin')) {
    const modules = [DESK, language, `src/texts/${locale}/admin.ts`]
    const { unread } = OF_FRAME
    if (path !== '/admin') return { modules, reads: { unread } }
    return { modules: [...modules, OVERVIEW.module], reads: { unread, ...OVERVIEW.reads } }
  }
  const place = { id: encodeURIComponent(parts[2] ?? ''), query }
  const own = screen ? [screen.module, screen.part ?? []].flat() : []
  const texts = screen?.texts ? [`src/texts/${locale}/${screen.texts}.ts`] : []
  return {
    modules: [CUSTOMER, ...own, language, ...texts],
    reads: { ...OF_FRAME, ...screen?.reads?.(place) },
  }
}

/**
 * The responses that a screen reads first, so that it is drawn without a further request. Refused reads are left
 * out: the application requests them itself, and shows why they are missing.
 */
export async function answersFor(
  { call }: Pick<Visit, 'call'>,
  reads: Reads,
): Promise<Readonly<Record<string, unknown>>> {
  const answers = await Promise.all(
    Object.entries(reads).map(async ([name, path]) => {
      try {
        return [[name, await call('GET', path)]] as const
      } catch (error) {
        if (error instanceof Refusal) return []
        throw error
      }
    }),
  )
  return Object.fromEntries(answers.flat())
}
