import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

type Payload = { op: number; d: unknown; s?: number; t?: string }
type Identify = { token: string; intents: number }
type Resume = { token: string; session_id: string; seq: number }

/** The operations of Discord's gateway. */
const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  hello: 10,
  heartbeatAck: 11,
} as const
const WRONG_TOKEN = 4004
const SESSION = 'session-1'
const HEARTBEAT_MS = 200

export const APPLICATION = '900000000000000001'

/** Discord's gateway as far as a bot of one shard uses it. */
export type DiscordGateway = {
  /** What bots said who they are with, in order. */
  readonly identified: Identify[]
  /** How often a bot came back to its session, and from which event on. */
  readonly resumed: Resume[]
  readonly heartbeats: number
  readonly connections: number
  /** Tells a bot that is connected of something. */
  dispatch(event: string, data: object): void
  /** Breaks every connection, as a network does. */
  cut(): void
}

type Options = { token: string; guilds: () => readonly object[] }

/** Speaks the gateway's protocol on a server: HELLO, IDENTIFY or RESUME, READY, heartbeats, events. */
export function discordGateway(server: Server, { token, guilds }: Options): DiscordGateway {
  const sockets = new WebSocketServer({ server, path: '/gateway/' })
  const [identified, resumed]: [Identify[], Resume[]] = [[], []]
  let [heartbeats, sequence] = [0, 0]
  /** What was told in the session, for who comes back to it. */
  const told: Payload[] = []

  function dispatchTo(socket: WebSocket, t: string, d: object): void {
    sequence += 1
    const payload = { op: OP.dispatch, t, d, s: sequence }
    told.push(payload)
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(payload))
  }

  function ready(socket: WebSocket): void {
    const { port } = server.address() as { port: number }
    const known = guilds()
    dispatchTo(socket, 'READY', {
      v: 10,
      user: { id: APPLICATION, username: 'bot', discriminator: '0', avatar: null, bot: true },
      guilds: known.map((it) => ({ id: (it as { id: string }).id, unavailable: true })),
      session_id: SESSION,
      resume_gateway_url: `ws://127.0.0.1:${port}/gateway/`,
      shard: [0, 1],
      application: { id: APPLICATION, flags: 0 },
    })
    for (const guild of known) dispatchTo(socket, 'GUILD_CREATE', guild)
  }

  function hear(socket: WebSocket, { op, d }: Payload): void {
    if (op === OP.heartbeat) {
      heartbeats += 1
      socket.send(JSON.stringify({ op: OP.heartbeatAck, d: null }))
    }
    if (op !== OP.identify && op !== OP.resume) return
    if ((d as Identify).token !== token) {
      socket.close(WRONG_TOKEN, 'Authentication failed.')
    } else if (op === OP.identify) {
      identified.push(d as Identify)
      ready(socket)
    } else {
      resumed.push(d as Resume)
      goOn(socket, d as Resume)
    }
  }

  function goOn(socket: WebSocket, { seq }: Resume): void {
    for (const it of told.filter(({ s = 0 }) => s > seq)) {
      socket.send(JSON.stringify(it))
    }
    dispatchTo(socket, 'RESUMED', {})
  }

  sockets.on('connection', (socket) => {
    socket.on('message', (text) => hear(socket, JSON.parse(String(text)) as Payload))
    socket.send(JSON.stringify({ op: OP.hello, d: { heartbeat_interval: HEARTBEAT_MS } }))
  })
  return {
    ...{ identified, resumed },
    get heartbeats() {
      return heartbeats
    },
    get connections() {
      return sockets.clients.size
    },
    dispatch(event, data) {
      for (const socket of sockets.clients) dispatchTo(socket, event, data)
    },
    cut() {
      for (const socket of sockets.clients) socket.terminate()
    },
  }
}
