/** What a host answers at once, as it does for a processor that is not split. @throws Error when it does not */
export function atOnce<Reply>(reply: Reply | Promise<Reply>): Reply {
  if (reply instanceof Promise) throw new Error("the host answers later");
  return reply;
}
