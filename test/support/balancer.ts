import net, { type AddressInfo, type Socket } from 'node:net'
import { after } from 'node:test'

/** Spreads connections over processes, as a plain balancer in front of them does. */
export type Balancer = {
  readonly url: string
  /** How many connections went to each target so far. */
  readonly sent: ReadonlyMap<string, number>
  /** Whether a target said at its last health check that it can serve. */
  isUp(target: string): boolean
}

const CHECK_MS = 100

/**
 * Starts a balancer of TCP connections: each goes to the next target whose `/v1/health` last said 200,
 * and it knows nothing of what is said on it. Ends with the tests of the file.
 */
export async function balancer(targets: readonly string[]): Promise<Balancer> {
  const up = new Set<string>()
  const sent = new Map<string, number>()
  let next = 0
  async function check(target: string): Promise<void> {
    const isUp = await fetch(`${target}/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) up.add(target)
    else up.delete(target)
  }
  const timers = targets.map((target) => {
    let checking = false
    return setInterval(async () => {
      if (checking) return
      checking = true
      await check(target)
      checking = false
    }, CHECK_MS)
  })
  const sockets = new Set<Socket>()
  const server = net.createServer((client) => {
    const there = targets.filter((target) => up.has(target))
    next += 1
    const target = there[next % there.length]
    if (!target) return void client.destroy()
    sent.set(target, (sent.get(target) ?? 0) + 1)
    const { hostname, port } = new URL(target)
    const backend = net.connect({ host: hostname, port: Number(port) })
    for (const socket of [client, backend]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('error', () => backend.destroy())
    backend.on('error', () => client.destroy())
    client.pipe(backend).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await Promise.all(targets.map(check))
  after(() => {
    for (const timer of timers) clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    isUp: (target) => up.has(target),
  }
}
