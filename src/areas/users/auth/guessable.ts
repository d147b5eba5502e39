/**
 * The words that attackers try first: common passwords are these with a year, a number or an
 * exclamation mark. From the lists of leaked passwords, English and French, and from our customers'
 * world.
 */
const WORDS = new Set([
  ...['password', 'passwort', 'passw', 'motdepasse', 'mdp', 'secret', 'changeme', 'letmein'],
  ...['welcome', 'bienvenue', 'bonjour', 'hello', 'salut', 'admin', 'administrator', 'root'],
  ...['administrateur', 'user', 'guest', 'test', 'demo', 'default', 'login', 'access', 'master'],
  ...['iloveyou', 'jetaime', 'loveyou', 'sunshine', 'princess', 'princesse', 'soleil', 'chouchou'],
  ...['doudou', 'loulou', 'nicolas', 'camille', 'michael', 'charlie', 'jordan', 'ashley', 'daniel'],
  ...[
    'qwerty',
    'qwertyuiop',
    'qwertz',
    'qwertzuiop',
    'azerty',
    'azertyuiop',
    'asdfgh',
    'asdfghjkl',
  ],
  ...['qsdfghjklm', 'zxcvbn', 'zxcvbnm', 'wxcvbn', 'qazwsx', 'qazwsxedc', 'azertyqsdf', 'qweasd'],
  ...['qweasdzxc', 'qwer', 'asdf', 'aqwzsx', 'abc', 'abcd', 'abcde', 'abcdef', 'dragon', 'monkey'],
  ...[
    'football',
    'baseball',
    'basketball',
    'soccer',
    'hockey',
    'marseille',
    'liverpool',
    'arsenal',
  ],
  ...['superman', 'batman', 'spiderman', 'starwars', 'pokemon', 'naruto', 'shadow', 'killer'],
  ...['minecraft', 'fortnite', 'roblox', 'gameserver', 'server', 'serveur', 'gamer', 'gaming'],
  ...['counterstrike', 'valheim', 'pterodactyl', 'pelican', 'moorage', 'discord', 'google'],
  ...['facebook', 'samsung', 'computer', 'ordinateur', 'internet', 'windows', 'trustno', 'freedom'],
  ...['whatever', 'mustang', 'ferrari', 'porsche', 'corvette', 'summer', 'winter', 'spring', 'ete'],
  ...['hiver', 'january', 'janvier', 'france', 'paris', 'london', 'america', 'canada', 'flower'],
  ...['matrix', 'hunter', 'ranger', 'buster', 'thomas', 'robert', 'jennifer', 'jessica', 'pepper'],
])

/** Neighbouring keys, in both directions and downwards: sequences that are easy to type. */
const RUNS = [
  ...[
    '01234567890',
    '1234567891011121314',
    'abcdefghijklmnopqrstuvwxyz',
    'qwertyuiop',
    'asdfghjkl',
    'zxcvbnm',
  ],
  ...['azertyuiop', 'qsdfghjklm', 'wxcvbn', '1q2w3e4r5t6y7u8i9o0p', '1a2z3e4r5t6y7u8i9o0p'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', 'qazwsxedcrfvtgb', 'aqwzsxedcrfvtgb', '147258369'],
]

/** Letters that people write as digits and signs. */
const DISGUISES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
}

/**
 * Whether a password is among the first that attackers try: a common word in any disguise with
 * digits and signs around it, keys in a row, few characters over and over, or the address itself.
 */
export function isGuessable(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const own = [email, email.split('@')[0] ?? ''].map(coreOf)
  const cores = [coreOf(plain), coreOf(undisguised(plain))].map(onceOf)
  if (cores.some((core) => WORDS.has(core))) return true
  if (plain === email || own.some((it) => it.length > 2 && cores.includes(it))) return true
  return isRun(plain) || onceOf(plain).length < 5
}

/** A text without the other characters before its first and after its last letter. */
function coreOf(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '').replace(/[\s._-]+/g, '')
}

function undisguised(text: string): string {
  // Characters at the end are a number or a sign that was added, not a letter in disguise.
  const [, word = '', rest = ''] = /^(.*\p{L})(.*)$/su.exec(text) ?? []
  return [...word].map((letter) => DISGUISES[letter] ?? letter).join('') + rest
}

/** The unit that a text consists of repeatedly; the text itself if it repeats nothing. */
function onceOf(text: string): string {
  return /^(.+?)\1+$/su.exec(text)?.[1] ?? text
}

function isRun(text: string): boolean {
  const rows = RUNS.flatMap((run) => [run, [...run].reverse().join('')])
  const doubled = rows.map((row) => row + row)
  return doubled.some((row) => row.includes(text))
}
