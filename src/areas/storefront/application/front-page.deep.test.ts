import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asStaff, deskShop, NARROW, openScreen, skip, violationsOf, WIDE } from '#test/desk.ts'

const shop = await deskShop()
const { app, origin, owner } = shop

test('staff write a headline and an answer, and visitors find both on the front page', {
  skip,
}, async () => {
  await asStaff(shop, { ...WIDE, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/brand`)
    const english = page.getByRole('group', { name: 'English', exact: true })
    await english.getByLabel('Headline').fill('Servers for friends')
    await english.getByRole('button', { name: 'Add a question' }).click()
    await english.getByRole('textbox', { name: 'Question 1' }).fill('Can I move?')
    await english.getByLabel('Answer').fill('Yes, *free* of charge.')
    assert.deepEqual(await violationsOf(page), [])
    const card = page.locator('form').filter({ hasText: 'Headline' })
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    await openScreen(page, `${origin}/`)
    await page.getByRole('heading', { level: 1, name: 'Servers for friends' }).waitFor()
    await page.getByText('Can I move?').click()
    await page.getByText('Yes, free of charge.').waitFor()
    assert.deepEqual(await violationsOf(page), [])
  })
  const { body } = await app.get('/v1/front-page?locale=en')
  assert.deepEqual(body.questions, [{ question: 'Can I move?', answer: 'Yes, *free* of charge.' }])
})

test('an answer is removed again on a phone, in French', { skip }, async () => {
  await asStaff(shop, { ...NARROW, email: owner.email }, async (page) => {
    await openScreen(page, `${origin}/admin/brand`)
    await page.getByRole('button', { name: 'Retirer la question 1' }).click()
    const card = page.locator('form').filter({ hasText: 'Introduction' })
    await card.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText('Enregistré').first().waitFor()
  })
  assert.deepEqual((await app.get('/v1/front-page?locale=en')).body.questions, [])
})
