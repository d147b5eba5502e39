import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { ROOT } from '#platform/root.ts'
import { account, PASSWORD } from '#test/accounts.ts'
import { billingShop } from '#test/billing-shop.ts'
import { formBrowser } from '#test/form-browser.ts'
import { MOVED } from './application/moved.ts'

const { app } = await billingShop()

/** Every address that the service puts into a notice, a mail or a return, as its sources write it. */
function linksInSources(): string[] {
  const folder = path.join(ROOT, 'src/areas')
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((it) => /(?<!\.test)\.ts$/.test(it) && !it.startsWith('storefront/'))
  const found = sources.flatMap((file) => {
    const text = fs.readFileSync(path.join(folder, file), 'utf8')
    const named = text.matchAll(
      /\b(?:link|LINK|LINK_PATH|INVOICES|SECURITY)\b[^\n]*?[`'](\/[^`'\s]*)[`']/g,
    )
    const built = text.matchAll(/\$\{(?:\w+\.)*(?:origin|panelUrl)\}(\/[^`'\s]*)`/g)
    return [...named, ...built].map(([, link = '']) => link.replace(/\/\$\{[^}]*\}/g, '/:id'))
  })
  // What is put together from parts is found where the parts are.
  return [...new Set(found)].filter((it) => !/^\/v1\/|\$/.test(it)).sort()
}

/** The addresses of the screens of the customer area, as its router has them. */
const screens = [
  ...fs
    .readFileSync(path.join(ROOT, 'web/src/app/router.tsx'), 'utf8')
    .matchAll(/path: '(\/[^']*)'/g),
].map(([, it = '']) => it)

/** The addresses of the pages of staff, as their router has them. */
const staffScreens = [
  ...fs
    .readFileSync(path.join(ROOT, 'web/src/app/admin/routes.ts'), 'utf8')
    .matchAll(/path: '(\/[^']*)'/g),
].map(([, it = '']) => `/admin${it}`.replace(/\/$/, ''))

/** Whether one of the screens has an address. */
function isAmong(list: readonly string[], address: string): boolean {
  const [route = ''] = address.split(/[?#]/)
  return list.some((it) => new RegExp(`^${it.replace(/\$\w+/g, '[^/]+')}$`).test(route))
}

const links = linksInSources()

test('the links that are sent are known', () => {
  for (const expected of ['/servers/:id', '/invoices/:id', '/payment', '/invite-friends']) {
    assert.ok(links.includes(expected), `${expected} among ${links.join(' ')}`)
  }
})

test('every link that the service sends leads to a page', async () => {
  const ada = await account(app)
  const browser = formBrowser(app)
  const fields = { email: ada.email, password: PASSWORD, next: '/home' }
  assert.equal((await browser.submit('/sign-in', fields)).status, 303)
  for (const link of links) {
    const address = link.replaceAll(':id', newId())
    const { status, text } = await browser.open(address)
    const isOfStaff = address.startsWith('/admin')
    // What does not exist has a page that says so; a customer is led away from pages of staff.
    const expected = /^\/(?:i|pay|status)\//.test(address) ? 404 : isOfStaff ? 303 : 200
    assert.equal(status, expected, link)
    if (isOfStaff) {
      assert.ok(isAmong(staffScreens, address), `${link} is no page of staff`)
      continue
    }
    assert.match(text, /<title>/, link)
    if (!text.includes('id="boot"')) continue
    assert.ok(isAmong(screens, address), `${link} is no screen of the customer area`)
  }
})

test('links in older mails still lead to a page', async () => {
  const moved = {
    '/verify-email?token=abc': '/verify/abc',
    '/reset-password?token=abc': '/reset/abc',
    '/invitations/abc': '/i/abc',
    ...Object.fromEntries(
      MOVED.map(([old, now]) => [old.replace(':id', 'abc'), now.replace(':id', 'abc')]),
    ),
  }
  for (const [old, now] of Object.entries(moved)) {
    const { status, location } = await formBrowser(app).open(old)
    assert.deepEqual([status, location], [303, now])
  }
})
