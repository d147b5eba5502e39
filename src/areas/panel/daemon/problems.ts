import { Problem, type ProblemBody } from '#lib/problem.ts'

/** The panel's name for an error with that status, which daemons log. */
const CODES: Record<number, string> = {
  400: 'BadRequestHttpException',
  401: 'HttpException',
  403: 'AccessDeniedHttpException',
  404: 'NotFoundHttpException',
  409: 'ConflictHttpException',
  413: 'PostTooLargeException',
  422: 'ValidationException',
  502: 'BadGatewayHttpException',
  503: 'ServiceUnavailableHttpException',
  504: 'GatewayTimeoutHttpException',
}

/** An error in two forms: ours, and the one that daemons read. */
export function daemonBody(problem: Problem): ProblemBody & { errors: object[] } {
  const { statusCode, message } = problem
  const code = CODES[statusCode] ?? 'HttpException'
  return { ...problem.toJSON(), errors: [{ code, status: String(statusCode), detail: message }] }
}

/** 503: daemons try again after 5xx, but never after a 429. */
export function overloaded(): Problem {
  return new Problem(503, 'Too much is going on at once. Try again.', {
    headers: { 'retry-after': '1' },
  })
}

export function tooLarge(): Problem {
  return new Problem(413, 'The body is too large.')
}
