import type { SignInTexts } from '../sign-in.ts'

/** The sign-in pages in Portuguese. */
export const signIn: SignInTexts = {
  signIn: 'Iniciar sessão',
  toContinue: (application) => `para aceder a ${application}`,
  email: 'Endereço de e-mail',
  password: 'Palavra-passe',
  cancel: 'Cancelar',
  wrong: 'O endereço de e-mail ou a palavra-passe estão incorretos.',
  unconfirmed:
    'O endereço de e-mail ou a palavra-passe estão incorretos, ou o endereço ainda não está confirmado.',
  suspended: 'Esta conta está suspensa.',
  secondFactor:
    'Esta conta exige uma chave de acesso, que os navegadores só pedem através de um script: permita scripts nesta página ou use outro navegador.',
  usePasskey: 'Usar uma chave de acesso',
  passkeyFailed:
    'Não foi usada nenhuma chave de acesso. Tente novamente ou inicie sessão de outra forma.',
  wrongPasskey: 'Esta chave de acesso não foi aceite.',
  codeTitle: 'Só mais um passo',
  codeBody:
    'Introduza o código da sua aplicação de autenticação ou um dos seus códigos de recuperação.',
  code: 'Código',
  wrongCode:
    'Este código está errado ou já foi usado. Após cinco códigos errados, terá de recomeçar.',
  startAgain: 'Recomeçar',
  confirmTitle: 'Confirme o seu endereço de e-mail',
  confirmBody: (application, email) =>
    `${application} só aceita endereços de e-mail confirmados e ${email} ainda não está confirmado.`,
  sendLink: 'Enviar-me um link de confirmação',
  linkSent:
    'Enviámos um link para a sua caixa de correio. Abra-o e depois volte a esta página para continuar.',
  linkAsked:
    'Se o endereço ainda não estiver confirmado, receberá em breve um link. Abra-o e depois inicie sessão aqui.',
  isConfirmed: 'Já confirmei: continuar',
  consent: (application) => `${application} quer conhecer a sua identidade`,
  signedInAs: (email) => `Tem sessão iniciada como ${email}. Se aceitar, a aplicação poderá:`,
  scopes: {
    openid: 'reconhecer a sua conta quando voltar',
    profile: 'ver o seu nome e idioma',
    email: 'ver o seu endereço de e-mail',
    offline_access: 'manter este acesso na sua ausência, até que o retire',
    services: 'ver os nomes dos serviços que tem aqui',
  },
  allow: 'Permitir',
  deny: 'Não permitir',
  signOut: 'Terminar sessão',
  askSignOut: (shop) => `Quer terminar a sessão em ${shop}?`,
  stay: 'Manter a sessão iniciada',
  signedOut: 'A sessão foi terminada',
  signedOutBody: 'Pode fechar esta página.',
  otherAccount: 'Tinha sessão iniciada com outra conta',
  otherAccountBody: 'Se continuar, a nova conta toma o lugar da anterior neste navegador.',
  proceed: 'Continuar',
  failed: 'Não funcionou',
  failedBody: 'Volte à aplicação de onde veio e tente novamente.',
  expired: 'Este início de sessão expirou ou foi concluído noutro lugar.',
  tooMany: 'Demasiadas tentativas. Espere um minuto e tente novamente.',
  foreign: 'Este formulário foi enviado a partir de uma página que não é nossa.',
  reason: 'O que a aplicação pode querer saber:',
}
