import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type SignIn = { username: string; password: string }

export type ReceivedMail = { text: string; from: string; to: string[]; secure: boolean }

/** What the server says to a recipient, or once it has the whole message: null is yes. */
type Answers = {
  /** A line such as `550 5.1.1 No such user`. */
  recipient?: (address: string) => string | null
  /** `cut`: the connection breaks, though the message was taken. */
  message?: (mail: ReceivedMail) => string | 'cut' | null
}

type Options = {
  startTls?: boolean
  port?: number
  /** The certificate to encrypt with; without it, one that nobody trusts. */
  tls?: { key: string; cert: string }
  /** Mails are taken from this user only. */
  signIn?: SignIn
}

/** A mail server that keeps what it is given: whole messages, and whom they were for. */
export async function mailServer(
  t: { after(work: () => void): void },
  { recipient, message }: Answers = {},
  { startTls = false, port: wanted = 0, tls, signIn }: Options = {},
) {
  const received: ReceivedMail[] = []
  const sockets = new Map<string, Socket>()
  const server = new SMTPServer({
    ...(signIn ? { onAuth: onlyFor(signIn) } : { authOptional: true }),
    ...tls,
    ...(!startTls && { disabledCommands: ['STARTTLS'] }),
    onRcptTo({ address }, _session, done) {
      done(refusal(recipient?.(address) ?? null))
    },
    onData(stream, { envelope: { mailFrom, rcptTo }, secure, remotePort }, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        const from = mailFrom ? mailFrom.address : ''
        const mail = { text, from, to: rcptTo.map(({ address }) => address), secure }
        const answer = message?.(mail) ?? null
        if (answer === null || answer === 'cut') received.push(mail)
        if (answer === 'cut') sockets.get(String(remotePort))?.destroy()
        else done(refusal(answer))
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.set(String(socket.remotePort), socket)
  })
  server.listen(wanted, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => server.close())
  const { port } = server.server.address() as AddressInfo
  return { received, url: `smtp://127.0.0.1:${port}` }
}

function onlyFor({
  username: user,
  password: pass,
}: SignIn): NonNullable<SMTPServerOptions['onAuth']> {
  return ({ username, password }, _session, done) => {
    if (username === user && password === pass) done(null, { user })
    else done(new Error('Invalid username or password'))
  }
}

function refusal(line: string | null): (Error & { responseCode?: number }) | null {
  if (line === null) return null
  return Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) })
}
