import type { TestApp } from './app.ts'

export type Sent = {
  readonly status: number
  readonly text: string
  readonly location: string | null
  readonly headers: Headers
}

/** A browser without scripts: it keeps cookies, follows nothing, and sends forms from our own pages. */
export type FormBrowser = {
  readonly cookies: Map<string, string>
  open(path: string): Promise<Sent>
  submit(path: string, fields: Record<string, string>): Promise<Sent>
}

export function formBrowser({ url }: Pick<TestApp, 'url'>): FormBrowser {
  const cookies = new Map<string, string>()
  async function send(
    method: string,
    path: string,
    fields?: Record<string, string>,
  ): Promise<Sent> {
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: url,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(fields && { body: new URLSearchParams(fields) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers } = answer
    return { status, text: await answer.text(), location: headers.get('location'), headers }
  }
  return {
    cookies,
    open: (path) => send('GET', path),
    submit: (path, fields) => send('POST', path, fields),
  }
}

/** The value of a hidden field of a page; empty without one. */
export function hiddenField(text: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
}
