import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in Spanish. */
export const signIn: SignInTexts = {
  signIn: 'Iniciar sesión',
  toContinue: (application) => `para continuar en ${application}`,
  email: 'Correo electrónico',
  password: 'Contraseña',
  cancel: 'Cancelar',
  wrong: 'El correo electrónico o la contraseña no son correctos.',
  unconfirmed:
    'El correo electrónico o la contraseña no son correctos, o la dirección aún no está confirmada.',
  suspended: 'Esta cuenta está suspendida.',
  secondFactor:
    'Esta cuenta exige una llave de acceso. Los navegadores solo la piden mediante un script: permite los scripts en esta página o usa otro navegador.',
  usePasskey: 'Usar una llave de acceso',
  passkeyFailed:
    'No se ha usado ninguna llave de acceso. Inténtalo de nuevo o inicia sesión de otra forma.',
  wrongPasskey: 'No se ha aceptado esta llave de acceso.',
  codeTitle: 'Un paso más',
  codeBody:
    'Introduce el código de tu aplicación de autenticación o uno de tus códigos de recuperación.',
  code: 'Código',
  wrongCode:
    'Este código no es correcto o ya se ha usado. Tras cinco códigos incorrectos, tendrás que empezar de nuevo.',
  startAgain: 'Empezar de nuevo',
  confirmTitle: 'Confirma tu correo electrónico',
  confirmBody: (application, email) =>
    `${application} solo acepta direcciones de correo confirmadas, y ${email} aún no lo está.`,
  sendLink: 'Enviarme un enlace de confirmación',
  linkSent: 'Te hemos enviado un enlace por correo. Ábrelo y vuelve a esta página para continuar.',
  linkAsked:
    'Si la dirección aún no está confirmada, hay un enlace en camino. Ábrelo y luego inicia sesión aquí.',
  isConfirmed: 'Ya lo he confirmado: continuar',
  consent: (application) => `${application} quiere saber quién eres`,
  signedInAs: (email) => `Has iniciado sesión como ${email}. Si aceptas, podrá:`,
  scopes: {
    openid: 'reconocerte cuando vuelvas',
    profile: 'ver tu nombre y tu idioma',
    email: 'ver tu dirección de correo',
    offline_access: 'conservar este acceso mientras no estés, hasta que lo retires',
    services: 'ver qué servicios tienes aquí, por su nombre',
  },
  allow: 'Permitir',
  deny: 'No permitir',
  signOut: 'Cerrar sesión',
  askSignOut: (shop) => `¿Quieres cerrar sesión en ${shop}?`,
  stay: 'Mantener la sesión',
  signedOut: 'Has cerrado sesión',
  signedOutBody: 'Puedes cerrar esta página.',
  otherAccount: 'Habías iniciado sesión con otra cuenta',
  otherAccountBody: 'Si continúas, la nueva cuenta ocupará su lugar en este navegador.',
  proceed: 'Continuar',
  failed: 'No ha funcionado',
  failedBody: 'Vuelve a la aplicación de la que vienes e inténtalo de nuevo.',
  expired: 'Este inicio de sesión ha caducado o se ha completado en otro lugar.',
  tooMany: 'Demasiados intentos. Espera un minuto e inténtalo de nuevo.',
  foreign: 'Este formulario se ha enviado desde una página que no es la nuestra.',
  reason: 'Lo que quizá quiera saber la aplicación:',
}
