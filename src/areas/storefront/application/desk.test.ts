import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { until } from '#test/app.ts'
import { clientFor } from '#test/client.ts'
import { asStaff, deskShop, openScreen, settled, signIn, skip, WIDE } from '#test/desk.ts'
import { givePassword, PASSWORD } from '#test/relying-party.ts'
import type { Made } from '#test/shop.ts'

const shop = await deskShop()
const { origin, ada, failedId, owner, placed, app } = shop

test('from the id of a payment to the customer, the reason, the retry and the notice of the customer, with the keyboard only', {
  skip,
}, async () => {
  const { body: payments } = await shop.admin.get(
    `/v1/admin/payments?invoiceId=${placed.invoice.id}`,
  )
  const [payment] = payments.data
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.getByRole('link', { name: 'Servers could not be set up' }).waitFor()
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByRole('textbox').waitFor()
    await page.keyboard.insertText(payment.providerPaymentId)
    await palette.locator('[data-selected]', { hasText: payment.providerPaymentId }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/admin/payments/${payment.id}`)
    await byKeys(page, page.locator(`main a[href="/admin/people/${ada.userId}"]`).first())
    await page.getByRole('heading', { level: 1, name: ada.name }).waitFor()
    await byKeys(page, page.locator(`main a[href="/admin/servers/${failedId}"]`).first())
    await page.getByRole('heading', { name: 'The product has no server settings' }).waitFor()
    const said = page.getByRole('region', { name: 'Response of the panel' })
    await said.getByText('does not say what to install.').waitFor()
    await page.getByRole('heading', { name: 'Failed attempts' }).waitFor()
    await page.getByText('Attempt 1').waitFor()
    await page.getByText('1 attempt. There are no more automatic attempts.').waitFor()
    await byKeys(page, page.getByRole('button', { name: 'Retry here' }))
    await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).waitFor()
    await byKeys(page, page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }))
    await page.getByText('The next attempt has started').waitFor()
  })
  // The clock moves only now that the browser is closed: its token would expire, and a request be refused.
  const step = { seconds: 60 }
  const isActive = async () =>
    (await shop.admin.get(`/v1/admin/services/${failedId}`)).body.status === 'active'
  await app.eventually('the server is there', isActive, step)
  const told = await app.eventually('the customer is notified', async () => {
    const { body } = await ada.get('/v1/notifications')
    return body.data.find((it: Made) => it.link === `/servers/${failedId}`)
  })
  assert.equal(told.kind, 'service_active')
})

/** Reaches a control with Tab alone, and presses Enter. */
async function byKeys(page: Page, control: Locator): Promise<void> {
  await control.waitFor()
  const passed: unknown[] = []
  while (!(await control.evaluate((it) => it.matches(':focus')))) {
    await page.keyboard.press('Tab')
    passed.push(await page.evaluate('document.activeElement?.outerHTML.slice(0, 120)'))
    assert.ok(passed.length < 200, `Tab reaches it: ${passed.join('\n')}`)
  }
  await page.keyboard.press('Enter')
}

test('a customer is opened by e-mail address and Enter', { skip }, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByRole('textbox').fill(ada.email)
    await palette.locator('[data-selected]', { hasText: ada.name }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/admin/people/${ada.userId}`)
  })
})

test('staff who give a reason view the shop as a customer; the bar or a reload ends the view', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    const bar = page.getByText(`You see what ${ada.name} sees.`)
    const view = async () => {
      await openScreen(page, `${origin}/admin/people/${ada.userId}`)
      await page.getByRole('button', { name: 'View as customer' }).click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'View as customer' })
      assert.ok(await confirm.isDisabled(), 'a reason is needed')
      await dialog.getByLabel('Reason').fill('Asked for help with an invoice')
      await confirm.click()
      await page.waitForURL(`${origin}/home`)
      await bar.waitFor()
    }
    await view()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.waitForURL(`${origin}/admin/people/${ada.userId}`)
    await page.getByRole('heading', { level: 1, name: ada.name }).waitFor()
    await view()
    await page.reload()
    await page.getByRole('link', { name: 'Administration' }).waitFor()
    assert.equal(await bar.count(), 0)
  })
})

test('while staff view the shop as a customer, no screen sends a request that is refused', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/people/${ada.userId}`)
    await page.getByRole('button', { name: 'View as customer' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Asked for help')
    await page.getByRole('dialog').getByRole('button', { name: 'View as customer' }).click()
    await page.waitForURL(`${origin}/home`)
    const server = `/servers/${shop.active.id}`
    const screens = [
      ...['/servers', server, `${server}/activity`, `${server}/startup`, `${server}/people`],
      ...[`${server}/plan`, '/orders', '/invoices', `/invoices/${placed.invoice.id}`, '/payment'],
      ...['/invite-friends', '/notifications', '/account', '/account/security'],
      ...['/account/access', '/account/messages', '/account/data'],
    ]
    for (const screen of screens) {
      // A page load would end the view.
      await page.evaluate(`history.pushState({}, '', ${JSON.stringify(screen)})`)
      await page.waitForURL(origin + screen)
      await settled(page)
    }
    await page.getByText(`You see what ${ada.name} sees.`).waitFor()
  })
})

test('a draft gets a line and is issued', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/invoices/${shop.draftId}`)
    await page.getByRole('button', { name: 'Add a line' }).click()
    await page.getByLabel('Description').last().fill('A second line')
    await page.getByLabel('Unit price, net').last().fill('8,50')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    await until('the line is saved', async () => {
      const { body } = await shop.admin.get(`/v1/admin/invoices/${shop.draftId}`)
      return body.subtotalCents === 5050
    })
    await page.getByRole('button', { name: 'Issue' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Issue' }).click()
    await page.getByText('The invoice was issued').waitFor()
    const issued = (await shop.admin.get(`/v1/admin/invoices/${shop.draftId}`)).body
    assert.equal(issued.status, 'open')
    await page.getByRole('heading', { level: 1, name: issued.number }).waitFor()
  })
})

test('an edit keeps what someone else saved meanwhile, and what was typed, also after a reload', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    const path = `/v1/admin/products/${shop.productId}`
    const name = page.locator('input[name=name]')
    const description = page.locator('textarea[name=description]')
    const changed = page.getByText('Someone else changed this meanwhile', { exact: true })
    await openScreen(page, `${origin}/admin/products/${shop.productId}`)
    await name.fill('Mine')
    await shop.admin.patch(path, { description: 'Theirs' })
    await page.keyboard.press('Control+s')
    await changed.waitFor()
    assert.equal((await shop.admin.get(path)).body.name, 'Eight gigabytes')
    assert.deepEqual([await name.inputValue(), await description.inputValue()], ['Mine', 'Theirs'])
    await shop.admin.patch(path, { name: 'Also theirs' })
    await page.reload()
    await name.waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('Someone else saved “Also theirs” meanwhile.').waitFor()
    assert.equal((await shop.admin.get(path)).body.name, 'Also theirs')
    await page.keyboard.press('Control+s')
    await page.getByText('Product saved').waitFor()
    const { body } = await shop.admin.get(path)
    assert.deepEqual([body.name, body.description], ['Mine', 'Theirs'])
    await shop.admin.patch(path, { name: 'Eight gigabytes', description: null })
  })
})

test('an edit that overtakes another between its check and its arrival is refused by its version', {
  skip,
}, async () => {
  const coupon = await shop.admin.post('/v1/admin/coupons', {
    ...{ code: 'HARBOUR', type: 'percent', percentBasisPoints: 2000 },
  })
  const path = `/v1/admin/coupons/${coupon.body.id}`
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.route(`**${path}`, async (route) => {
      const isEdit = route.request().method() === 'PATCH'
      if (isEdit) await shop.admin.patch(path, { percentBasisPoints: 3000 })
      await route.continue()
      if (isEdit) await page.unroute(`**${path}`)
    })
    await openScreen(page, `${origin}/admin/coupons`)
    await page.getByRole('button', { name: 'HARBOUR' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code').fill('HAVEN')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Someone else changed this meanwhile', { exact: true }).waitFor()
    assert.equal((await shop.admin.get(path)).body.code, 'HARBOUR')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { code, percentBasisPoints } = (await shop.admin.get(path)).body
    assert.deepEqual([code, percentBasisPoints], ['HAVEN', 3000])
  })
})

test('an edit of an address keeps what someone else changed in the part that the form does not show', {
  skip,
}, async () => {
  const { marc } = shop
  const path = `/v1/admin/users/${marc.userId}`
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/people/${marc.userId}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('City').fill('Paris')
    const { address } = (await shop.admin.get(path)).body
    await shop.admin.patch(path, { address: { ...address, line2: 'Building 2' } })
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByText('Someone else changed this meanwhile', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.waitFor({ state: 'detached' })
    const after = (await shop.admin.get(path)).body.address
    assert.deepEqual([after.city, after.line2], ['Paris', 'Building 2'])
  })
})

test('staff note something about a customer, raise a limit and end the sessions', {
  skip,
}, async () => {
  const one = `/v1/admin/users/${ada.userId}`
  await givePassword(app, ada.userId)
  const login = { email: ada.email, password: PASSWORD }
  const session = await clientFor(app.url).post('/v1/auth/login', login)
  assert.equal(session.status, 200, session.text)
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/people/${ada.userId}`)
    await page.getByLabel('New note').fill('Asked for a larger server')
    await page.getByRole('button', { name: 'Add the note' }).click()
    await page.getByText('The note was added').waitFor()
    const notes = async () => (await shop.admin.get(`${one}/notes`)).body.data
    assert.equal((await notes())[0].text, 'Asked for a larger server')
    await page
      .getByRole('button', { name: /^Delete the note of/ })
      .first()
      .press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The note was deleted').waitFor()
    const left = (await notes()).map((it: { text: string }) => it.text)
    assert.deepEqual(left, ['Pays by transfer.\nCall before noon.'])
    await page.getByRole('button', { name: 'Change limits' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Open orders', { exact: true }).fill('9')
    await dialog.getByRole('button', { name: 'Change limits' }).click()
    await page.getByText('The limits are saved').waitFor()
    const { openOrders, openServices } = (await shop.admin.get(`${one}/allowance`)).body
    assert.deepEqual([openOrders.ownLimit, openServices.ownLimit], [9, null])
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('Not signed in anywhere.').waitFor()
    assert.deepEqual((await shop.admin.get(`${one}/access`)).body.sessions, [])
  })
})

test('a payment is found by its id at the provider, and the credit note of its invoice is downloaded', {
  skip,
}, async () => {
  const { payment } = shop
  const [{ invoiceId }] = payment.allocations
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.keyboard.press('/')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByRole('textbox').fill(payment.providerPaymentId)
    await palette.locator('[data-selected]', { hasText: payment.providerPaymentId }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/admin/payments/${payment.id}`)
    await page.getByRole('heading', { level: 1, name: 'Payment of €12.00' }).waitFor()
    await page.locator(`main a[href="/admin/invoices/${invoiceId}"]`).press('Enter')
    await page.locator(`main a[href="/admin/payments/${payment.id}"]`).waitFor()
    const { body } = await shop.admin.get(`/v1/admin/credit-notes?invoiceId=${invoiceId}`)
    const { number } = body.data[0]
    // It is made by a job.
    await until('the credit note is made', async () => {
      const made = await shop.admin.get(`/v1/admin/credit-notes/${body.data[0].id}/pdf`)
      return made.status === 200
    })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `PDF, ${number}` }).click(),
    ])
    assert.equal(file.suggestedFilename(), `${number}.pdf`)
  })
})

test('a new version of the privacy policy is published, unless someone else published one meanwhile', {
  skip,
}, async () => {
  const url = '/v1/admin/legal-texts'
  const published = async () => (await shop.admin.get(`${url}?kind=privacy`)).body.data
  await shop.admin.post(url, { kind: 'privacy', texts: { en: 'One' } })
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    const publish = async () => {
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    }
    await openScreen(page, `${origin}/admin/legal?view=privacy`)
    await page.getByLabel('English').fill('Two')
    await shop.admin.post(url, { kind: 'privacy', texts: { en: 'One', fr: 'Un' } })
    await publish()
    await page.getByText('Someone else changed this meanwhile', { exact: true }).waitFor()
    assert.equal((await published()).length, 2)
    await publish()
    await page.getByText('The text is published').waitFor()
    const [newest] = await published()
    assert.deepEqual([newest.version, newest.texts], [3, { en: 'Two', fr: 'Un' }])
  })
})

test('a commission is approved, and a payout to its affiliate is booked', { skip }, async () => {
  const { marc } = shop
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin`)
    await page.getByRole('link', { name: 'Commissions to review' }).click()
    await page.getByRole('button', { name: /^Approve/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The commission was approved').waitFor()
    const review = await shop.admin.get(`/v1/admin/commissions/${marc.reviewId}`)
    assert.notEqual(review.body.reviewedAt, null)
    await openScreen(page, `${origin}/admin/affiliates`)
    await page.locator(`a[href="/admin/affiliates/${marc.id}"]`).press('Enter')
    await page.getByRole('heading', { level: 1, name: marc.name }).waitFor()
    await page.getByRole('button', { name: 'Book a payout' }).click()
    await dialog.getByLabel('Reference').fill('T-2026-1')
    await dialog.getByLabel('Amount').fill('40')
    await dialog.getByRole('button', { name: 'Book a payout' }).click()
    await page.getByText('The payout was booked').waitFor()
    await page.getByText('T-2026-1').waitFor()
    const { totals } = (await shop.admin.get(`/v1/admin/affiliates/${marc.id}`)).body
    assert.equal(totals[0].availableCents, 1000)
  })
})

test('a customer who opens the administration is led to the customer area after the sign-in', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await page.context().clearCookies()
    await givePassword(app, ada.userId)
    await page.goto(`${origin}/admin/invoices?status=open`)
    assert.equal(new URL(page.url()).searchParams.get('next'), '/admin/invoices?status=open')
    await signIn(page, ada.email)
    await page.waitForURL(`${origin}/home`)
    assert.ok(placed.order.id)
  })
})
