import { deskLocale } from '#lib/languages.ts'
import { notFound, unavailable } from '#lib/problem.ts'
import { FOREVER, sendBuiltFile } from '#platform/http/built-files.ts'
import type { Routes } from '#platform/http/index.ts'
import { applicationTokens } from '#users'
import { guarded } from '../guarded.ts'
import { textsOf } from '../texts/index.ts'
import { type Exchange, sendPage, type Visit, visitsOf } from '../visit.ts'
import { FILES_FOLDER, FILES_PATH, readApplicationFiles } from './files.ts'
import { applicationPage } from './page.ts'
import { answersFor, firstScreen } from './screens.ts'

/** The addresses of the application's screens. Every path below one belongs to the application too. */
const SCREENS = [
  ...['home', 'servers', 'invoices', 'credit-notes', 'payment'],
  ...['invite-friends', 'tickets', 'notifications', 'account'],
]

/** Customer area and administration: one page that starts the application, and its files. */
export const applicationRoutes: Routes = (app, deps) => {
  const visitOf = visitsOf(app, deps)
  const tokenOf = applicationTokens(deps)
  const files = readApplicationFiles()
  const page = guarded(app, deps, { access: 'public', hidden: true })

  app.route({
    method: 'GET',
    url: `${FILES_PATH}assets/:name`,
    config: { access: 'public', hidden: true, uncounted: true, whileSuspended: true },
    async handler(request, reply) {
      const { name = '' } = request.params as Record<string, string>
      // The manifest is outside of the folder. Compressed copies are negotiated, not requested by name.
      if (!files || !/^[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg)$/.test(name)) throw notFound('File')
      return sendBuiltFile(request, reply, { folder: FILES_FOLDER, name, cacheControl: FOREVER })
    },
  })

  const start = async ({ request, reply }: Exchange, visit: Visit, known: object = {}) => {
    const { session, now } = visit
    if (!session) {
      const next = encodeURIComponent(request.url)
      return reply.redirect(`/sign-in?next=${next}`, 303)
    }
    if (!files) throw unavailable('The application has not been built: run `npm run build`.')
    const { accessToken, expiresIn } = tokenOf(request.tenantId, session, now)
    const { modules, reads } = firstScreen(request.url, visit.look.locale)
    const answers = { ...known, ...(await answersFor(visit, reads)) }
    const boot = { userId: session.userId, accessToken, expiresIn, answers }
    return sendPage(request, reply, applicationPage(visit, { files, modules }, boot))
  }
  const customerArea: Parameters<typeof page>[2] = async (request, reply) =>
    start({ request, reply }, await visitOf(request, reply))
  for (const name of SCREENS) {
    page('GET', `/${name}`, customerArea)
    page('GET', `/${name}/*`, customerArea)
  }
  const desk: typeof customerArea = async (request, reply) => {
    const visit = await visitOf(request, reply)
    const me = visit.session
      ? await visit.call<{ permissions: string[] }>('GET', '/v1/users/me')
      : null
    if (me?.permissions.length === 0) return reply.redirect('/home', 303)
    // The administration has fewer languages than the customer area.
    const locale = deskLocale(visit.look.locale)
    const look = { ...visit.look, locale }
    return start({ request, reply }, { ...visit, look, texts: textsOf(locale) }, me ? { me } : {})
  }
  // The administration also works while the shop is closed, so that staff can reopen it.
  for (const url of ['/admin', '/admin/*']) page('GET', url, desk, {}, { whileSuspended: true })
  // One order is a page of the buyer's path; the list of them is not.
  page('GET', '/orders', customerArea)
}
