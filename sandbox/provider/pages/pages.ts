import { ProviderError } from '../errors.ts'
import type { Answer } from '../http.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Form } from '../schema/form.ts'
import { showAuthentication, submitAuthentication } from './authentication.ts'
import { html, page } from './html.ts'
import { showSession, submitPage } from './pay.ts'
import { showPortal, submitPortal } from './portal.ts'

type Page = {
  pattern: RegExp
  show: (sandbox: Sandbox, id: string) => Answer
  submit: (sandbox: Sandbox, id: string, form: Form) => Answer
}

const PAGES: readonly Page[] = [
  { pattern: /^\/c\/pay\/([^/]+)$/, show: showSession, submit: submitPage },
  { pattern: /^\/3ds\/([^/]+)$/, show: showAuthentication, submit: submitAuthentication },
  {
    pattern: /^\/p\/session\/([^/]+)$/,
    show: (sandbox, id) => showPortal(sandbox, id),
    submit: submitPortal,
  },
]

/** Answers a browser: a GET shows the page, a POST takes its form. Undefined elsewhere. */
export function answerPage(
  sandbox: Sandbox,
  { path, form }: { path: string; form: Form | null },
): Answer | undefined {
  for (const { pattern, show, submit } of PAGES) {
    const id = pattern.exec(path)?.[1]
    if (id === undefined) continue
    try {
      return form ? submit(sandbox, id, form) : show(sandbox, id)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      return page(error.status, 'Not possible', html`<p>${error.message}</p>`)
    }
  }
  return undefined
}
