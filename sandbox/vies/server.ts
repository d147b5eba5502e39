import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { KEEP_ALIVE_MS } from '#sandbox/keep-alive.ts'

/** What the stand-in says of a number: in the register, not in it, or an error by its name. */
export type Word = 'valid' | 'invalid' | (string & {})

/** A question as it came in. */
export type Question = {
  countryCode?: string
  vatNumber?: string
  requesterMemberStateCode?: string
  requesterNumber?: string
}

/** A stand-in for VIES, the EU's register of VAT numbers, with knobs for tests. */
export type Vies = {
  /** What `MOORAGE_VIES_URL` takes. */
  readonly url: string
  /** `host:port`, as `MOORAGE_PRIVATE_HOSTS` takes it. */
  readonly host: string
  /** Every question so far. */
  readonly questions: readonly Question[]
  /**
   * What it says of a number from now on; `valid` unless it was told. `hang-up` and `not-json` are
   * connections that break and answers nobody understands.
   */
  say(vatNumber: string, word: Word): void
  close(): Promise<void>
}

const ZONE = '+02:00'

/** Starts the stand-in on a port of this machine. */
export async function startVies({ port = 0 } = {}): Promise<Vies> {
  const questions: Question[] = []
  const words = new Map<string, Word>()

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handle(request, response).catch(() => response.destroy())
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || !request.url?.endsWith('/check-vat-number')) {
      return answer(response, 404, { error: 'Not Found' })
    }
    const question = JSON.parse(await text(request)) as Question
    questions.push(question)
    const { countryCode = '', vatNumber = '', requesterNumber } = question
    const word = words.get(countryCode + vatNumber) ?? 'valid'
    if (word === 'hang-up') return void request.socket.destroy()
    if (word === 'not-json') return void response.end('<h1>Service unavailable</h1>')
    const refusesUs = word === 'INVALID_REQUESTER_INFO' && requesterNumber === undefined
    if (word === 'valid' || word === 'invalid' || refusesUs) {
      return answer(response, 200, {
        ...{ countryCode, vatNumber, valid: word !== 'invalid', name: '---', address: '---' },
        requestDate: new Date().toISOString().replace('Z', ZONE),
        requestIdentifier: requesterNumber ? `WAPIAAAA${String(questions.length)}` : '',
        ...{ traderName: '---', traderNameMatch: 'NOT_PROCESSED' },
      })
    }
    answer(response, 200, { actionSucceed: false, errorWrappers: [{ error: word }] })
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url: `http://${host}/rest-api`, host, questions },
    say: (vatNumber, word) => void words.set(vatNumber, word),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
