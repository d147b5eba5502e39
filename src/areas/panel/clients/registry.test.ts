import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Outbound, OutboundError, type OutboundRequest } from '#platform/outbound.ts'
import { detectPanelType, panelClientFor } from './registry.ts'

const address = { url: 'https://panel.test/', apiKey: 'ptla_key' }
const empty = { object: 'list', data: [] }

function refusal(status: number, code: string, detail = 'No.') {
  return { status, body: { errors: [{ code, status: String(status), detail }] } }
}

const noRoute = refusal(404, 'NotFoundHttpException', 'The route api/x could not be found.')

/** An outbound client that answers by path, and what it was asked for. */
function answering(answers: Record<string, { status: number; body: unknown } | OutboundError>) {
  const asked: OutboundRequest[] = []
  const outbound: Outbound = {
    async request(request) {
      asked.push(request)
      const answer = answers[new URL(request.url).pathname] ?? noRoute
      if (answer instanceof OutboundError) throw answer
      return { status: answer.status, headers: {}, text: JSON.stringify(answer.body) }
    },
    pass: () => Promise.reject(new Error('Nothing passes here')),
    isOpened: async () => false,
    assertAllowedUrl: async () => {},
    connectMail: () => Promise.reject(new Error('No mail goes out here')),
    assertAllowedMail: async () => {},
    close: () => {},
  }
  return { outbound, asked }
}

const nests = '/api/application/nests'
const eggs = '/api/application/eggs'
const found = { status: 200, body: empty }

for (const [what, answers, type] of [
  ['nests', { [nests]: found }, 'pterodactyl'],
  ['no nests but eggs', { [eggs]: found }, 'pelican'],
  ['nests the key may not read', { [nests]: refusal(403, 'AccessDenied') }, 'pterodactyl'],
  ['eggs the key may not read', { [eggs]: refusal(403, 'AccessDenied') }, 'pelican'],
] as const) {
  test(`a panel with ${what} is ${type}`, async () => {
    const { outbound } = answering(answers)
    assert.equal(await detectPanelType({ ...address, outbound }), type)
  })
}

for (const [what, answers, kind] of [
  ['has neither', {}, 'misconfigured'],
  ['does not know the key', { [nests]: refusal(401, 'AuthenticationException') }, 'unauthorized'],
  ['shows something else', { [nests]: { status: 200, body: 'Hello' } }, 'unavailable'],
  [
    'cannot be reached',
    { [nests]: new OutboundError('connect', 'No connection.', false) },
    'unavailable',
  ],
  [
    'lies in a private network',
    { [nests]: new OutboundError('refused_address', 'Private.', false) },
    'misconfigured',
  ],
] as const) {
  test(`an address that ${what} is ${kind}`, async () => {
    const { outbound } = answering(answers)
    await assert.rejects(detectPanelType({ ...address, outbound }), { kind })
  })
}

test('clients of one connection share its breaker, those of another key do not (hardening 47)', async () => {
  const { outbound, asked } = answering({
    '/api/application/servers/1': refusal(401, 'AuthenticationException'),
  })
  const connection = { type: 'pterodactyl', ...address, outbound } as const
  for (let time = 0; time < 3; time += 1) {
    await assert.rejects(panelClientFor(connection).getServer(1), { kind: 'unauthorized' })
  }
  assert.equal(asked.length, 1)
  await assert.rejects(panelClientFor({ ...connection, apiKey: 'ptla_new' }).getServer(1))
  assert.equal(asked.length, 2)
})

const server = '/api/client/servers/u1'

test('without a client key nothing is asked of the client API', async () => {
  const { outbound, asked } = answering({})
  const client = panelClientFor({ type: 'pterodactyl', ...address, outbound })
  await assert.rejects(client.power('u1', 'start'), { kind: 'misconfigured' })
  assert.equal(asked.length, 0)
})

test('the client API is asked with the client key', async () => {
  const stats = {
    object: 'stats',
    attributes: {
      current_state: 'running',
      is_suspended: false,
      resources: {
        memory_bytes: 1,
        cpu_absolute: 0.9,
        disk_bytes: 2,
        network_rx_bytes: 3,
        network_tx_bytes: 4,
        uptime: 5,
      },
    },
  }
  const { outbound, asked } = answering({ [`${server}/resources`]: { status: 200, body: stats } })
  const clientApiKey = 'ptlc_key'
  const client = panelClientFor({ type: 'pterodactyl', ...address, clientApiKey, outbound })
  assert.deepEqual(await client.resources('u1'), {
    state: 'running',
    suspended: false,
    memoryBytes: 1,
    diskBytes: 2,
    cpuPercent: 0.9,
    networkInBytes: 3,
    networkOutBytes: 4,
    uptimeMs: 5,
  })
  assert.equal(asked[0]?.headers?.authorization, 'Bearer ptlc_key')
})

test('subusers are listed, added and removed, and a missing one is removed already', async () => {
  const attributes = {
    uuid: 's1',
    email: 'bob@example.com',
    username: 'bobx1z',
    permissions: ['control.start', 'websocket.connect'],
  }
  const subuser = { object: 'server_subuser', attributes }
  const gone = 'The requested resource could not be found on the server.'
  const lists = { ...subuser, ...empty, data: [subuser] }
  const { outbound, asked } = answering({
    [`${server}/users`]: { status: 200, body: lists },
    [`${server}/users/s1`]: refusal(404, 'NotFoundHttpException', gone),
  })
  const clientApiKey = 'ptlc_key'
  const client = panelClientFor({ type: 'pterodactyl', ...address, clientApiKey, outbound })
  assert.deepEqual(await client.listSubusers('u1'), [attributes])
  await client.deleteSubuser('u1', 's1')
  assert.equal(asked[1]?.method, 'DELETE')
})
