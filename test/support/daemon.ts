import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './client.ts'
import { clientFor } from './client.ts'

type Body = Answer['body']

/** Wings' own pauses, shortened: what counts is how often it comes again, and after what. */
const FIRST_PAUSE_MS = 10
const FACTOR = 1.5
const MOST_TRIES = 8

/**
 * A daemon that follows the document: the headers and bodies of Wings, and its rules of coming again.
 * A 4xx is the end of it, a 5xx and a broken connection are not.
 */
export function scriptedDaemon({ remote, token }: { remote: string; token: string }) {
  const url = new URL(remote)
  // Wings takes one slash from the end of what it is configured with.
  const base = `${url.pathname.replace(/\/$/, '')}/api/remote`
  const client = clientFor(url.origin, {
    authorization: `Bearer ${token}`,
    accept: 'application/vnd.pterodactyl.v1+json',
    // On GET too, where there is no body.
    'content-type': 'application/json',
    'user-agent': `Pterodactyl Wings/v1.11.13 (id:${token.split('.')[0]})`,
  })

  async function once(method: string, path: string, body?: unknown): Promise<Answer> {
    const raw = body === undefined ? undefined : JSON.stringify(body)
    return client.request(method, `${base}${path}`, undefined, raw === undefined ? {} : { raw })
  }

  async function say(method: string, path: string, body?: unknown): Promise<Answer> {
    let pauseMs = FIRST_PAUSE_MS
    for (let tries = 1; ; tries += 1) {
      const answer = await once(method, path, body).catch((error: unknown) => error)
      const isAnswer = !(answer instanceof Error)
      if (isAnswer && (answer as Answer).status < 500) return answer as Answer
      if (tries === MOST_TRIES) {
        if (isAnswer) return answer as Answer
        throw answer
      }
      await sleep(pauseMs * (0.5 + Math.random()))
      pauseMs *= FACTOR
    }
  }

  return {
    /** One try. */
    once,
    /** As often as Wings would. */
    say,
    /** Asks for all servers as Wings does: page 0, then all further ones at once. Then the reset. */
    async boot(perPage = 50): Promise<{ servers: Body[]; reset: Answer }> {
      const page = (number: number) => say('GET', `/servers?page=${number}&per_page=${perPage}`)
      const first = await page(0)
      if (first.status !== 200) throw new Error(first.text)
      const { current_page: current, last_page: last } = first.body.meta
      const rest = Array.from({ length: last - current }, (_, index) => page(current + 1 + index))
      const pages = [first, ...(await Promise.all(rest))]
      // Go encodes the body that it has not as null.
      const reset = await say('POST', '/servers/reset', null)
      return { servers: pages.flatMap(({ body }) => body.data), reset }
    },
    /** Begins to install a server: asks what it is, and how it is done. */
    async beginInstall(uuid: string): Promise<void> {
      for (const path of [`/servers/${uuid}`, `/servers/${uuid}/install`]) {
        const { status, text } = await say('GET', path)
        if (status !== 200) throw new Error(text)
      }
    },
    endInstall: (uuid: string, successful: boolean, reinstall = false) =>
      say('POST', `/servers/${uuid}/install`, { successful, reinstall }),
    becomes: (uuid: string, previous: string, next: string) =>
      say('POST', `/servers/${uuid}/container/status`, {
        data: { previous_state: previous, new_state: next },
      }),
    activity: (data: unknown[]) => say('POST', '/activity', { data }),
    signIn: (username: string, password: string, type = 'password') =>
      once('POST', '/sftp/auth', {
        ...{ type, username, password, ip: '198.51.100.7:50122' },
        ...{ session_id: 'q83vEjRWeJo=', client_version: 'U1NILTIuMC1PcGVuU1NIXzkuNg==' },
      }),
  }
}

export type ScriptedDaemon = ReturnType<typeof scriptedDaemon>
