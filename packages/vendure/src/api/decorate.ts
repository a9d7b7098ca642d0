import { Args, Resolver } from "@nestjs/graphql";
import { Ctx } from "@vendure/core";

/** The decorators of each method of a resolver. A method takes Vendure's request context and then the arguments of the GraphQL field. */
type Fields<Instance> = { readonly [Name in keyof Instance & string]: readonly MethodDecorator[] };

/** Applies Nest's decorators as calls, so that the sources need no compiler option for decorators. */
export function decorateResolver<Instance extends object>(
  resolver: new () => Instance,
  fields: Fields<Instance>,
): void {
  const prototype = resolver.prototype as object;
  for (const [name, decorators] of Object.entries(fields) as [string, readonly MethodDecorator[]][]) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    for (const decorate of decorators) decorate(prototype, name, descriptor);
    Ctx()(prototype, name, 0);
    Args()(prototype, name, 1);
  }
  Resolver()(resolver);
}
