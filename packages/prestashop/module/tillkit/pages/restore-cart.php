<?php
/** A shopper who comes back without having paid finds the cart again: it became an order, and the shop has emptied the session's cart. */

defined( '_PS_VERSION_' ) || exit;

/** Whether the person of this session is the customer of the order. */
function tillkit_is_customer_of( Tillkit_Prestashop_Order $order ): bool {
	$customer = Context::getContext()->customer;
	return Validate::isLoadedObject( $customer ) && (int) $customer->id === (int) $order->first()['id_customer'];
}

/** Once for each order, and never over a cart that the shopper has begun since. */
function tillkit_restore_cart( Tillkit_Prestashop_Order $order ): void {
	$context  = Context::getContext();
	$is_empty = ! Validate::isLoadedObject( $context->cart ) || (int) $context->cart->id === $order->cart_id() || ! $context->cart->nbProducts();
	if ( ! $is_empty || ! tillkit_is_customer_of( $order ) || null !== tillkit_paid_by( $order ) || '' !== $order->fact( 'restored_cart' ) ) {
		return;
	}
	$copy = ( new Cart( $order->cart_id() ) )->duplicate();
	if ( is_array( $copy ) && ! empty( $copy['success'] ) && Validate::isLoadedObject( $copy['cart'] ) ) {
		$context->cookie->id_cart = (int) $copy['cart']->id;
		$context->cart            = $copy['cart'];
		$context->cookie->write();
		$order->write_facts( array( 'restored_cart' => (string) (int) $copy['cart']->id ) );
	}
}

/**
 * The shop's own page after a purchase. Its address has the customer's key, which opens all their orders, so only the session of that customer is
 * sent there: the link to our page has been at the payment service.
 */
function tillkit_confirmation_url( Tillkit_Prestashop_Order $order ): string {
	$row   = $order->first();
	$query = array( 'id_cart' => $order->cart_id(), 'id_module' => (int) tillkit_host()->module()->id, 'id_order' => (int) $order->id(), 'key' => (string) $row['secure_key'] );
	return (string) Context::getContext()->link->getPageLink( 'order-confirmation', true, (int) $row['id_lang'], $query );
}
