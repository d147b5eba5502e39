import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import type { Config } from '#platform/config.ts'
import type { Service } from '#platform/start.ts'
import { reasonOf } from '#platform/start-error.ts'
import type { Place, Task } from './task.ts'

/** A request of a command to the running service. */
type Wish = { readonly version: string; readonly task: string; readonly args: unknown }
type Piece = { out: string } | { err: string } | { code: number }

/** The name of a Unix socket has at most 107 bytes on Linux, and 103 elsewhere. */
const MAX_NAME_BYTES = 103

export type Control = { close(): Promise<void> }

/**
 * Lets commands work through this process while it has the embedded database open, on a Unix socket in the
 * data folder to which only the owner of the folder can connect. Null if the file system has no sockets:
 * such commands are refused then.
 */
export async function startControl(
  { deps }: Service,
  tasks: readonly Task<never>[],
): Promise<Control | null> {
  const { config, log } = deps
  const address = addressIn(config.dataDir)
  // Left behind by a process that was killed: this process has the lock of the folder.
  fs.rmSync(path.join(config.dataDir, 'control.sock'), { force: true })
  const server = http.createServer(async (request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    const send = (piece: Piece) => response.write(`${JSON.stringify(piece)}\n`)
    try {
      const place = { config, database: deps.database, ...wordsTo(send) }
      send({ code: await grant((await json(request)) as Wish, place, tasks) })
    } catch (error) {
      log.error({ err: error }, 'a command through the control socket failed')
      send({ err: reasonOf(error) })
      send({ code: 1 })
    }
    response.end()
  })
  // A command has no time limit.
  server.requestTimeout = 0
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(address.name, resolve)
    })
    fs.chmodSync(path.join(config.dataDir, 'control.sock'), 0o600)
  } catch (error) {
    log.warn({ err: error }, 'no control socket: commands cannot work beside this process')
    address.close()
    return null
  }
  server.unref()
  return {
    async close() {
      await new Promise((resolve) => server.close(resolve))
      address.close()
    },
  }
}

function wordsTo(send: (piece: Piece) => void): Omit<Place, 'config' | 'database'> {
  return {
    print: (text) => send({ out: text }),
    complain: (text) => send({ err: text }),
    isTerminal: false,
  }
}

async function grant(wish: Wish, place: Place, tasks: readonly Task<never>[]): Promise<number> {
  const { version } = place.config
  if (wish.version !== version) {
    place.complain(
      `The running service (process ${process.pid}) is Moorage ${version}, this command is Moorage ${wish.version}. Stop that process first, or use the command of its version.`,
    )
    return 1
  }
  const task = tasks.find((it) => it.name === wish.task)
  if (!task) throw new Error(`There is no task ${wish.task}`)
  return task.run(place, wish.args as never)
}

/**
 * Has the running service do a task, and relays its output. Returns the exit code; null if no service
 * responds on the control socket.
 */
export async function askService(
  { dataDir, version }: Pick<Config, 'dataDir' | 'version'>,
  wish: Omit<Wish, 'version'>,
  { print, complain }: Pick<Place, 'print' | 'complain'>,
): Promise<number | null> {
  const address = addressIn(dataDir)
  try {
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const options = { socketPath: address.name, method: 'POST', path: '/' }
      http
        .request(options, resolve)
        .once('error', reject)
        .end(JSON.stringify({ ...wish, version }))
    }).catch(() => null)
    if (!answer) return null
    let code = 1
    for await (const line of createInterface({ input: answer })) {
      const piece = JSON.parse(line) as Piece
      if ('out' in piece) print(piece.out)
      else if ('err' in piece) complain(piece.err)
      else code = piece.code
    }
    return code
  } finally {
    address.close()
  }
}

/** The name of the socket; through a descriptor of the folder if the whole path is too long. */
function addressIn(dataDir: string): { name: string; close(): void } {
  const name = path.join(dataDir, 'control.sock')
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES || process.platform !== 'linux') {
    return { name, close: () => {} }
  }
  const folder = fs.openSync(dataDir, 'r')
  return { name: `/proc/self/fd/${folder}/control.sock`, close: () => fs.closeSync(folder) }
}
