import type { FastifyReply, FastifyRequest } from 'fastify'
import { badGateway, conflict, forbidden, notFound } from '#lib/problem.ts'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import { transact } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import type { OutboundPassing } from '#platform/outbound.ts'
import { type Daemon, findDaemon, markTokenUsed } from '../daemon-tokens/queries.ts'
import { recordDaemonStart } from './actions.ts'
import { bytesWithin, Copy, parsed, readBody } from './bodies.ts'
import { readTarget, type Said } from './endpoints.ts'
import { keeperOf, learnRelayed, storeReport } from './learning.ts'
import { backwardHeaders, onwardHeaders, relay, streamOf } from './relay.ts'
import { sftpIn } from './rules.ts'

type Hearing = { deps: Deps; request: FastifyRequest; reply: FastifyReply }
type Spoken = Hearing & { daemon: Daemon; said: Said }

/**
 * Answers a daemon: with the panel's answer, or ourselves if its token is for reports only. Throws 403,
 * 404, 413, 422, 502 to 504.
 */
export async function hear(hearing: Hearing): Promise<FastifyReply> {
  const { deps, request } = hearing
  const { caller, db, now } = request
  const said = readTarget(request.method === 'HEAD' ? 'GET' : request.method, request.raw.url ?? '')
  if (!said) throw notFound('Route')
  const { tenantId, credentialId: id } = caller
  const daemon = await findDaemon(db, { tenantId, id }, now)
  // The token has expired since the request was authenticated.
  if (!daemon) throw forbidden('You are not authorized to access this resource.')
  await noteUse(deps, request, daemon, now)
  const spoken = { ...hearing, daemon, said }
  return daemon.mode === 'relay' ? fromPanel(spoken) : fromHere(spoken)
}

/** Records when a daemon last made a request, to the minute. A failure does not prevent the answer. */
async function noteUse(deps: Deps, { db }: FastifyRequest, daemon: Daemon, now: Instant) {
  if (daemon.lastUsedAt && daemon.lastUsedAt > later(now, -MINUTE_MS)) return
  try {
    await transact(db, (tx) => markTokenUsed(tx, daemon, now))
  } catch (error) {
    deps.log.warn({ err: error, nodeId: daemon.nodeId }, 'the use of a daemon token is not noted')
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

async function fromPanel(spoken: Spoken): Promise<FastifyReply> {
  const { deps, request, reply, daemon, said } = spoken
  const { db, now } = request
  if (said.saying === 'reset') {
    // Before the panel is told: from then on it reports interrupted servers as installed.
    await transact(db, (tx) => recordDaemonStart(tx, daemon, now), request.id)
  }
  const body = streamOf(request.body)
  const copy = new Copy()
  const outbound = deps.outbound.for({ tenantId: request.tenantId, purpose: 'panel' })
  const answer = await relay(outbound, daemon.url, {
    ...{ method: METHODS.find((it) => it === request.method) ?? 'GET', said },
    headers: onwardHeaders(request.headers, body !== null),
    body: body && copy.along(body),
  })
  if (said.saying === 'sftp') return answerSftp(spoken, answer)
  const { status } = answer
  if (status >= 200 && status < 300) await learn(spoken, copy.value)
  reply.code(status).headers(backwardHeaders(answer.headers))
  if (status !== 204) return reply.send(answer.body)
  answer.body.resume()
  return reply.send()
}

/** The panel has accepted the report: if we fail to store it, the daemon must not be affected. */
async function learn({ deps, request, daemon, said }: Spoken, body: unknown): Promise<void> {
  const { db, now, id: requestId } = request
  try {
    await learnRelayed({ areas: deps.areas, db, requestId }, { daemon, said, body, now })
  } catch (error) {
    const about = { err: error, requestId, nodeId: daemon.nodeId, saying: said.saying }
    deps.log.warn(about, 'what a daemon said is not noted')
  }
}

const LARGEST_SFTP_ANSWER = 64 * 1024

/** Admits a user admitted by the panel, unless their service is suspended or shared without files. */
async function answerSftp(
  { deps, request, reply, daemon }: Spoken,
  answer: OutboundPassing,
): Promise<FastifyReply> {
  const { db, tenantId } = request
  const bytes = await bytesWithin(answer.body, LARGEST_SFTP_ANSWER).catch(() => null)
  if (bytes === null) throw badGateway('The game panel did not answer to the end.')
  if (answer.status === 200) {
    const login = sftpIn(parsed(bytes.toString('utf8')))
    if (!login) throw badGateway('The game panel did not say who signs in.')
    const { nodeId } = daemon
    const verdict = await keeperOf(deps).sftpVerdict(db, { tenantId, nodeId, ...login })
    if (verdict === 'suspended') throw conflict('This server is suspended.')
    if (verdict === 'refused') {
      throw forbidden('You do not have permission to access SFTP for this server.')
    }
  }
  reply.code(answer.status).headers(backwardHeaders(answer.headers))
  return reply.send(bytes)
}

/** With a token for reports only we answer no questions: only the panel knows the servers. */
async function fromHere({ deps, request, reply, daemon, said }: Spoken): Promise<FastifyReply> {
  const { saying } = said
  if (saying === null) throw notFound('Route')
  if (request.method !== 'POST' || saying === 'sftp') {
    throw forbidden('This token is for reports only; the panel answers questions.', 'reports_only')
  }
  const body = await readBody(streamOf(request.body))
  const { db, now, id: requestId } = request
  await storeReport({ areas: deps.areas, db, requestId }, { daemon, said, body, now })
  // The one report whose answer has a body, in the protocol of Pelican.
  return saying === 'state' ? reply.code(200).send([]) : reply.code(204).send()
}
