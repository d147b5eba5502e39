import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after } from 'node:test'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'
import { APPLICATION, discordGateway } from './discord-gateway.ts'

type Answer = [status: number, body?: object, headers?: Record<string, string>]
type Guild = { roles: Set<string>; members: Map<string, Set<string>> }
type Reply = { content: string; allowed_mentions: { parse: string[] } }
type Sent = { discordId: string; content: string; allowed_mentions: { parse: string[] } }

/** What a message has besides its text. */
const NO_PARTS = { attachments: [], embeds: [], mentions: [], mention_roles: [], components: [] }

const unknown = (code: number, message: string): Answer => [404, { code, message }]

/**
 * Discord as far as a bot uses it: its REST API with servers, their members and roles, commands and
 * direct messages; and its gateway.
 */
export type DiscordApi = Awaited<ReturnType<typeof discordApi>>

/** Starts it; it ends with the file. */
export async function discordApi(token: string) {
  const guilds = new Map<string, Guild>()
  const sent: Sent[] = []
  const closed = new Set<string>()
  const nonces = new Set<string>()
  /** The commands that a bot registered, by their names. */
  const commands = new Set<string>()
  /** What a bot answered to commands. */
  const replies: Reply[] = []
  /** How commands were acknowledged: type 5 is "later", flag 64 "for nobody else". */
  const acknowledged: { type: number; data: { flags: number } }[] = []
  /** Every call that changes something, in its order. */
  const calls: string[] = []
  let failing: { answer: Answer; left: number } | null = null

  function changeRole(action: 'PUT' | 'DELETE', [guildId, userId, roleId]: string[]): Answer {
    const guild = guilds.get(guildId ?? '')
    if (!guild) return unknown(10004, 'Unknown Guild')
    const roles = guild.members.get(userId ?? '')
    if (!roles) return unknown(10007, 'Unknown Member')
    if (!guild.roles.has(roleId ?? '')) return unknown(10011, 'Unknown Role')
    if (action === 'PUT') roles.add(roleId ?? '')
    else roles.delete(roleId ?? '')
    return [204]
  }

  function listMembers(guildId: string, query: URLSearchParams): Answer {
    const guild = guilds.get(guildId)
    if (!guild) return [403, { code: 50001, message: 'Missing Access' }]
    const page = [...guild.members]
      .filter(([id]) => BigInt(id) > BigInt(query.get('after') ?? 0))
      .sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
      .slice(0, Number(query.get('limit') ?? 1))
    return [200, page.map(([id, roles]) => ({ user: { id }, roles: [...roles] }))]
  }

  function send(discordId: string, message: Sent & { nonce: string }): Answer {
    if (closed.has(discordId)) {
      return [403, { code: 50007, message: 'Cannot send messages to this user' }]
    }
    // The same nonce within some minutes is the same message.
    if (!nonces.has(message.nonce)) sent.push({ ...message, discordId })
    nonces.add(message.nonce)
    return [200, { id: '1' }]
  }

  /** Answers to commands prove themselves by the token of the command, not by the bot's. */
  function answerToReply(call: string, body: string): Answer | null {
    if (/^POST \/interactions\/\d+\/[\w-]+\/callback$/.test(call)) {
      acknowledged.push(JSON.parse(body))
      return [204]
    }
    if (/^PATCH \/webhooks\/\d+\/[\w-]+\/messages\/@original$/.test(call)) {
      const reply = JSON.parse(body) as Reply
      replies.push(reply)
      const author = { id: APPLICATION, username: 'bot', discriminator: '0', avatar: null }
      return [200, { id: '2', channel_id: '3', author, content: reply.content, ...NO_PARTS }]
    }
    return null
  }

  async function answerTo(request: IncomingMessage): Promise<Answer> {
    const body = await text(request)
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://discord.test')
    const call = `${request.method} ${decodeURIComponent(pathname).replace('/api/v10', '')}`
    const answered = answerToReply(call, body)
    if (answered) return answered
    if (request.headers.authorization !== `Bot ${token}`)
      return [401, { message: '401: Unauthorized', code: 0 }]
    if (failing) {
      const { answer } = failing
      failing.left -= 1
      if (failing.left === 0) failing = null
      return answer
    }
    if (call === 'GET /gateway/bot') {
      const limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }
      const url = `ws://127.0.0.1:${portOf()}/gateway/`
      return [200, { url, shards: 1, session_start_limit: limit }]
    }
    if (request.method !== 'GET') calls.push(call)
    if (call === `PUT /applications/${APPLICATION}/commands`) {
      const registered = JSON.parse(body) as { name: string }[]
      for (const { name } of registered) commands.add(name)
      return [200, registered.map((it) => ({ ...it, id: '1', application_id: APPLICATION }))]
    }
    const role = /^(PUT|DELETE) \/guilds\/(\d+)\/members\/(\d+)\/roles\/(\d+)$/.exec(call)
    if (role) return changeRole(role[1] as 'PUT' | 'DELETE', role.slice(2))
    const members = /^GET \/guilds\/(\d+)\/members$/.exec(call)
    if (members) return listMembers(members[1] ?? '', searchParams)
    if (call === 'POST /users/@me/channels') return [200, { id: JSON.parse(body).recipient_id }]
    const channel = /^POST \/channels\/(\d+)\/messages$/.exec(call)
    if (channel) return send(channel[1] ?? '', JSON.parse(body))
    return [404, { code: 0, message: '404: Not Found' }]
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body, headers] = await answerTo(request)
    const type = body ? 'application/json' : 'text/html; charset=utf-8'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(body && JSON.stringify(body))
  }

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => void serve(request, response),
  )
  const portOf = () => (server.address() as AddressInfo).port
  const gateway = discordGateway(server, {
    token,
    guilds: () =>
      [...guilds].map(([id, { roles }]) => ({
        ...{ id, name: 'A server', owner_id: '1', unavailable: false, member_count: 1 },
        roles: [id, ...roles].map((role, position) => {
          return { id: role, name: role, position, permissions: '0', color: 0 }
        }),
        ...{ members: [], channels: [], threads: [], emojis: [], stickers: [], presences: [] },
        ...{ voice_states: [], stage_instances: [], guild_scheduled_events: [], features: [] },
      })),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${portOf()}/api`,
    ...{ sent, closed, calls, commands, replies, acknowledged, gateway },
    /** Makes a server with roles, and with members who have none or some of them. */
    addGuild(guildId: string, roles: readonly string[], members: Record<string, string[]>) {
      const entries = Object.entries(members).map(([id, own]) => [id, new Set(own)] as const)
      guilds.set(guildId, { roles: new Set(roles), members: new Map(entries) })
    },
    /** Somebody comes to a server, and the gateway tells of it. */
    join(guildId: string, userId: string) {
      guilds.get(guildId)?.members.set(userId, new Set())
      const user = { id: userId, username: 'ada', discriminator: '0', avatar: null }
      const joined = { user, roles: [], joined_at: '2030-01-01T00:00:00.000Z', flags: 0 }
      gateway.dispatch('GUILD_MEMBER_ADD', { guild_id: guildId, ...joined })
    },
    /** Somebody uses a command. */
    use(name: string, userId: string) {
      const user = { id: userId, username: 'ada', discriminator: '0', avatar: null }
      gateway.dispatch('INTERACTION_CREATE', {
        ...{
          id: '5',
          application_id: APPLICATION,
          type: 2,
          token: 'interaction-token',
          version: 1,
        },
        ...{ channel_id: '3', user, locale: 'fr', entitlements: [], app_permissions: '0' },
        ...{ authorizing_integration_owners: {}, attachment_size_limit: 1, context: 1 },
        data: { id: '1', name, type: 1 },
      })
    },
    /** The roles of a member, in the order of their ids; undefined for who is not there. */
    rolesOf(guildId: string, userId: string): string[] | undefined {
      const roles = guilds.get(guildId)?.members.get(userId)
      return roles && [...roles].sort()
    },
    /** Answers the next calls with a status; in seconds, when it wants to be asked again. */
    fail(status: number, left = 1, retryAfter?: number) {
      const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      const body = { message: 'no', code: 0, retry_after: retryAfter ?? 0, global: false }
      failing = { answer: [status, body, headers], left }
    },
    /** Answers as it should again. */
    recover() {
      failing = null
    },
  }
}
