import type { PageTexts } from '../language.ts'

/** The footer of mails, and the page that stops them, in Spanish. */
export const pages: PageTexts = {
  why: {
    account: (shop) => `Recibes este correo porque tienes una cuenta en ${shop}.`,
    staff: (shop) => `Recibes este correo porque trabajas en ${shop}.`,
    address: (shop) => `Recibes este correo porque se ha introducido esta dirección en ${shop}.`,
    invitation: (shop) =>
      `Recibes este correo porque un cliente de ${shop} ha introducido tu dirección.`,
  },
  orOpen: 'Si el botón no funciona, copia esta dirección en tu navegador:',
  stopMails: 'Dejar de recibir este tipo de correos',
  stopTitle: 'Dejar de recibir estos correos',
  stopBody: 'No recibirás más correos de este tipo. Puedes cambiarlo en tu cuenta.',
  stop: 'Dejar de recibirlos',
  stopped: 'Listo. No te enviaremos más correos de este tipo.',
}
