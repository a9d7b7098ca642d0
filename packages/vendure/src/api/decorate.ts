import { Args, Resolver } from "@nestjs/graphql";
import { Ctx } from "@vendure/core";

/** The methods of a resolver with their decorators. Each takes Vendure's request context, then the arguments of the field. */
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
