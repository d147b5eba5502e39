// Offers a passkey on the sign-in pages. They work without it: what it needs is hidden until it runs.
const button = document.querySelector('button[data-passkey]')
if (button && window.PublicKeyCredential && navigator.credentials) {
  button.hidden = false
  button.form.hidden = false
  for (const it of document.querySelectorAll('[data-without-passkey]')) it.hidden = true
  button.addEventListener('click', () => signIn(button))
}

async function signIn(asked) {
  const failed = document.querySelector('[data-passkey-failed]')
  const { mfaToken, response } = asked.form.elements
  asked.disabled = true
  failed.hidden = true
  try {
    const options = await optionsFor(mfaToken ? { mfaToken: mfaToken.value } : {})
    const credential = await navigator.credentials.get({ publicKey: options })
    response.value = JSON.stringify(plain(credential))
    asked.form.submit()
  } catch {
    // Somebody closed the browser's window, or has no passkey here.
    failed.hidden = false
    asked.disabled = false
  }
}

async function optionsFor(body) {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch('/v1/auth/passkeys/options', init)
  if (!answer.ok) throw new Error('No options')
  const options = await answer.json()
  const allowed = options.allowCredentials
  return {
    ...options,
    challenge: bytesOf(options.challenge),
    ...(allowed && { allowCredentials: allowed.map((it) => ({ ...it, id: bytesOf(it.id) })) }),
  }
}

/** What `credential.toJSON()` answers in browsers that have it. */
function plain({ id, rawId, type, response }) {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  return {
    ...{ id, type, rawId: textOf(rawId), clientExtensionResults: {} },
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      userHandle: userHandle && userHandle.byteLength > 0 ? textOf(userHandle) : null,
    },
  }
}

function bytesOf(text) {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function textOf(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
