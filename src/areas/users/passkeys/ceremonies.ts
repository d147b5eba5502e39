import { randomBytes } from 'node:crypto'
import type { UserRow } from '../queries.ts'
import type { Site } from '../site.ts'
import type { PasskeyRow } from './queries.ts'
import { CHALLENGE_MS, userHandleOf } from './rules.ts'
import type { Assertion, Attestation } from './schema.ts'

/** Two hundred modules, loaded on first use to keep the start fast: most people sign in with a password. */
const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256: the algorithms of the authenticators in use (RFC 9053, 8812). */
const ALGORITHMS = [-8, -7, -257]

type Known = { id: string; transports: string[] }

/** What a browser needs to create a passkey: one that can sign in by itself, without attestation. */
export async function creationOptions(
  site: Site & { name: string },
  user: UserRow,
  excludeCredentials: readonly Known[],
) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: site.host,
    userID: Uint8Array.from(Buffer.from(userHandleOf(user.id), 'base64url')),
    userName: user.email,
    userDisplayName: user.name,
    challenge: newChallenge(),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: [...excludeCredentials],
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  })
}

/**
 * What a browser needs to use a passkey. A passkey alone must have verified a finger or a PIN; after the
 * password the device is enough, and `allowed` lists the person's passkeys.
 */
export async function requestOptions(site: Site, allowed: readonly Known[] | null) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge: newChallenge(),
    timeout: CHALLENGE_MS,
    userVerification: allowed ? 'preferred' : 'required',
    ...(allowed && { allowCredentials: [...allowed] }),
  })
}

function newChallenge() {
  return Uint8Array.from(randomBytes(32))
}

type Expected = { site: Site; challenge: string }

/** The passkey that a browser created; null if it is not for this challenge and site, or malformed. */
export async function madePasskey(
  { id, rawId, response: { clientDataJSON, attestationObject } }: Attestation,
  { site, challenge }: Expected,
) {
  const response = { clientDataJSON, attestationObject }
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: { id, rawId, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    supportedAlgorithmIDs: ALGORITHMS,
    requireUserVerification: false,
    // The library throws if it refuses the response.
  }).catch(() => null)
  if (!result?.verified) return null
  const { credential, credentialBackedUp: backedUp } = result.registrationInfo
  const { publicKey, counter, id: credentialId } = credential
  return { credentialId, publicKey: Buffer.from(publicKey), counter, backedUp }
}

/** What a passkey has signed; null unless it has signed this challenge for this site. */
export async function shownPasskey(
  { id, rawId, response }: Assertion,
  passkey: Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'rpId'>,
  { site, challenge, verified }: Expected & { verified: boolean },
) {
  if (passkey.rpId !== site.host) return null
  const { clientDataJSON, authenticatorData, signature } = response
  const signed = { clientDataJSON, authenticatorData, signature }
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: { id, rawId, type: 'public-key', clientExtensionResults: {}, response: signed },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(passkey.publicKey),
      // The counter is compared under a lock, by `counterGoesOn`.
      counter: 0,
    },
    requireUserVerification: verified,
  }).catch(() => null)
  if (!result?.verified) return null
  const { newCounter: counter, credentialBackedUp: backedUp } = result.authenticationInfo
  return { counter, backedUp }
}
