import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { loggedPath } from './logged-path.ts'

const TOKEN = 'Kx3vQ0mZ7uJc9wYbTnR2sLdFgHpA4eViXoU1qB5M8tE'
const ID = '0193a5b2-7c11-7000-8000-0123456789ab'
const shown = (url: string, route?: string, params: Record<string, string> = {}) =>
  loggedPath({ url, params, routeOptions: { url: route } } as unknown as FastifyRequest)

test('the path of a route shows ids, and names what else was given', () => {
  const url = `/v1/services/${ID}/notes?token=${TOKEN}`
  assert.equal(shown(url, '/v1/services/:id/notes', { id: ID }), `/v1/services/${ID}/notes`)
  const token = '/v1/invitations/:token/accept'
  assert.equal(shown(`/v1/invitations/${TOKEN}/accept`, token, { token: TOKEN }), token)
  assert.equal(shown('/docs/a/b', '/docs/*', { '*': 'a/b' }), '/docs/*')
})

test('a path that leads nowhere shows words and ids only', () => {
  assert.equal(shown(`/v1/servces/${ID}/power-up?a=${TOKEN}`), `/v1/servces/${ID}/power-up`)
  assert.equal(shown(`/v1/invitations/${TOKEN}/`), '/v1/invitations/:unknown/')
  assert.equal(shown(`//%41/${TOKEN}`), '//:unknown/:unknown')
})
