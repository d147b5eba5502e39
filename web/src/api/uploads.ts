import { sentBy } from './client.ts'

type Watched = {
  /** The part that is sent, from 0 to 1. */
  readonly sent: (ratio: number) => void
  readonly signal: AbortSignal
}

/** Sends a form as `fetch` does, and says how much of it is sent, which `fetch` cannot. Rejects as `fetch` if it breaks off. */
export function sendForm(form: FormData, { sent, signal }: Watched) {
  return sentBy(
    (request) =>
      new Promise((resolve, reject) => {
        const call = new XMLHttpRequest()
        call.open(request.method, request.url)
        for (const [name, value] of request.headers) {
          // The browser writes it, with the boundary of its own form.
          if (name !== 'content-type') call.setRequestHeader(name, value)
        }
        call.upload.onprogress = ({ loaded, total }) => sent(total > 0 ? loaded / total : 0)
        call.onload = () => resolve(answerIn(call))
        call.onerror = () => reject(new TypeError('The connection broke off.'))
        call.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
        signal.addEventListener('abort', () => call.abort())
        call.send(form)
      }),
  )
}

function answerIn(call: XMLHttpRequest): Response {
  const headers = { 'content-type': call.getResponseHeader('content-type') ?? '' }
  return new Response(call.responseText, { status: call.status, headers })
}
