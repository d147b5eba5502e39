import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictOf } from './rules.ts'

function refusal(command: string, response: string): Error {
  const responseCode = Number(response.slice(0, 3))
  return Object.assign(new Error(response), { command, response, responseCode })
}

const CASES = [
  ['RCPT TO', '550 5.1.1 No such user', { lasting: true, unknownAddress: true }],
  [
    'RCPT TO',
    '550-5.1.10 Recipient not found\n550 5.1.10',
    { lasting: true, unknownAddress: true },
  ],
  ['RCPT TO', '553 5.1.3 Bad address', { lasting: true, unknownAddress: true }],
  ['RCPT TO', '550 5.1.8 Your domain is not there', { lasting: true, unknownAddress: false }],
  ['RCPT TO', '550 5.7.1 Relaying denied', { lasting: true, unknownAddress: false }],
  ['RCPT TO', '550 User unknown', { lasting: true, unknownAddress: false }],
  ['RCPT TO', '552 5.2.2 Mailbox full', { lasting: true, unknownAddress: false }],
  ['RCPT TO', '450 4.1.1 Try later', { lasting: false, unknownAddress: false }],
  ['RCPT TO', '452 4.5.1 From 10.5.1.1', { lasting: false, unknownAddress: false }],
  ['DATA', '554 5.6.0 Refused', { lasting: true, unknownAddress: false }],
  ['DATA', '451 4.3.0 Later', { lasting: false, unknownAddress: false }],
  ['MAIL FROM', '550 5.1.0 Sender refused', { lasting: false, unknownAddress: false }],
  ['AUTH PLAIN', '535 5.7.8 Bad password', { lasting: false, unknownAddress: false }],
] as const

for (const [command, response, expected] of CASES) {
  test(`${command}: ${response} is ${JSON.stringify(expected)}`, () => {
    const { reason: _, ...verdict } = verdictOf(refusal(command, response))
    assert.deepEqual(verdict, expected)
  })
}

test('a connection that breaks is tried again', () => {
  const error = Object.assign(new Error('Connection closed'), { code: 'ECONNECTION' })
  assert.deepEqual(verdictOf(error), {
    ...{ reason: 'Connection closed', lasting: false, unknownAddress: false },
  })
})
