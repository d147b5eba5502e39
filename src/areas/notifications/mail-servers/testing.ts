import type { Caller } from '#lib/caller.ts'
import { conflict, notFound } from '#lib/problem.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { findUser } from '#users'
import { testEnvelope } from '../mails/rendering.ts'
import { verdictOf } from '../mails/rules.ts'
import { recordMailAttempt } from './actions.ts'
import { findMailServer, type MailServerRow } from './queries.ts'
import type { MailTest } from './schema.ts'
import { isServerFault, type Route, sendOver } from './transport.ts'

type Request = {
  readonly db: Db
  readonly tenantId: string
  readonly caller: Pick<Caller, 'userId'>
  readonly now: Instant
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
}

type Letter = Parameters<typeof testEnvelope>[1]['letter']

/**
 * Sends a test mail to the caller and waits for the answer of the mail server, also of one that has just failed.
 * The attempt counts for the state of the shop's own server. 409 `no_mail_server` without any.
 */
export async function sendTest(
  deps: Pick<Deps, 'config' | 'secrets' | 'outbound'>,
  { db, tenantId, caller, now, transact }: Request,
  letterFor: (user: { readonly locale: string; readonly name: string }) => Letter,
): Promise<MailTest> {
  const { config } = deps
  const own = await findMailServer(db, tenantId)
  const route = testedRoute(own, config.smtpUrl)
  const user = await findUser(db, { tenantId, userId: caller.userId })
  if (!user) throw notFound('User')
  const envelope = await testEnvelope({ config, db }, { tenantId, user, letter: letterFor(user) })
  const { failure, isOfServer } = await attempt(deps, route, envelope)
  if (route.server === 'own' && (failure === null || isOfServer)) {
    await transact((tx) => recordMailAttempt(tx, route.row, failure, now))
  }
  const { server } = route
  return { ok: failure === null, server, recipient: user.email, message: failure }
}

function testedRoute(own: MailServerRow | undefined, url: string | null): Route {
  if (own) return { server: 'own', row: own }
  if (url === null) throw conflict('There is no mail server.', 'no_mail_server')
  return { server: 'platform', url }
}

async function attempt(...[deps, route, envelope]: Parameters<typeof sendOver>) {
  try {
    await sendOver(deps, route, envelope)
    return { failure: null, isOfServer: false }
  } catch (error) {
    return { failure: verdictOf(error).reason, isOfServer: isServerFault(error) }
  }
}
