import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { steer } from '../controls/controls.ts'
import { afterwards, beforehand, type Fault } from '../controls/faults.ts'
import type { Panel } from '../panel.ts'
import { PanelError, serverError } from './errors.ts'
import { type Arrival, answer } from './gate.ts'
import { readBody } from './input.ts'
import type { Reply } from './router.ts'

/** Answers one request: a control of the sandbox, or a call to the panel with its faults. */
export async function listen(
  panel: Panel,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = addressOf(request)
  const body = await readBody(request)
  if (url === null || body === null) {
    send(response, { status: url ? 413 : 400 })
    return
  }
  const arrival: Arrival = {
    method: request.method ?? 'GET',
    url,
    authorization: request.headers.authorization,
    contentType: request.headers['content-type'] ?? '',
    address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    body,
  }
  panel.installs.settle(panel.data, panel.clock.now())
  if (url.pathname.startsWith('/_sandbox/')) {
    send(response, steer(panel, arrival))
    return
  }
  const fault = panel.faults.take(arrival.method, url.pathname)
  const note = panel.journal.begin(arrival, panel.clock.now(), fault?.kind ?? null)
  const reply = await replyTo(panel, arrival, fault, wantsJson(request))
  note.status = reply === 'hang' || reply === 'hang-up' ? null : reply.status
  if (reply === 'hang') return
  if (reply === 'hang-up') response.destroy()
  else send(response, reply)
}

async function replyTo(
  panel: Panel,
  arrival: Arrival,
  fault: Fault | null,
  json: boolean,
): Promise<Reply | 'hang' | 'hang-up'> {
  if (fault?.kind === 'latency') await wait(fault.ms)
  const instead = fault ? beforehand(fault, arrival) : null
  const reply = instead ?? (await answer(panel, arrival).catch(failed))
  const rendered = render(reply, json, arrival.url)
  return fault ? afterwards(fault, rendered) : rendered
}

function failed(error: unknown): Reply {
  if (error instanceof PanelError) {
    return { status: error.status, body: error, headers: error.headers }
  }
  // A mistake of the sandbox itself: whoever runs it has to see it.
  console.error(error)
  return { status: 500, body: serverError() }
}

/** Errors are JSON only for whoever asked for JSON; a browser gets a page, or is sent elsewhere. */
function render(reply: Reply, json: boolean, url: URL): Reply {
  const error = reply.body
  if (!(error instanceof PanelError)) return reply
  if (json) return { ...reply, body: error.body() }
  if (error.status === 401) return redirect(`${url.origin}/auth/login`)
  if (error.status === 422 || error.status === 400) return redirect(`${url.origin}/`)
  return {
    status: error.status,
    headers: { ...reply.headers, 'content-type': 'text/html; charset=UTF-8' },
    body: `<!DOCTYPE html><html><head><title>${error.status}</title></head><body></body></html>`,
  }
}

function redirect(location: string): Reply {
  return {
    status: 302,
    headers: { location, 'content-type': 'text/html; charset=UTF-8' },
    body: '',
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  if (body === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const length = { 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...length })
  response.end(text)
}

function wantsJson(request: IncomingMessage): boolean {
  const first = (request.headers.accept ?? '').split(',')[0]?.toLowerCase() ?? ''
  return first.includes('/json') || first.includes('+json')
}

function addressOf(request: IncomingMessage): URL | null {
  const host = request.headers.host ?? 'localhost'
  const url = URL.parse(request.url ?? '/', `http://${host}`)
  if (url) url.pathname = url.pathname.replace(/(?<=.)\/+$/, '')
  return url
}
