<?php
/** The way to the hosted page: the order is made before it is paid, so that its id, total and currency are fixed. */

defined( '_PS_VERSION_' ) || exit;

/** Whether shoppers see the payment method. */
function tillkit_is_offered(): bool {
	return tillkit_host()->settings()['enabled'] && tillkit_is_configured() && ! tillkit_has_too_many_decimals( (string) Context::getContext()->currency->iso_code );
}

/**
 * The order of the cart that the checkout names. A double click names a cart that has become an order already, and that the shop has taken from
 * the session: so the form sends its id, which counts for its own customer only.
 */
function tillkit_order_of_checkout( int $cart_id, PaymentModule $module ): ?Tillkit_Prestashop_Order {
	$customer = Context::getContext()->customer;
	$cart     = new Cart( $cart_id );
	$is_own   = Validate::isLoadedObject( $cart ) && Validate::isLoadedObject( $customer ) && (int) $cart->id_customer === (int) $customer->id
		&& $cart->secure_key === $customer->secure_key && (int) $cart->id_shop === tillkit_host()->shop_id();
	if ( ! $is_own || ! tillkit_is_offered() ) {
		return null;
	}
	$make = static function () use ( $cart, $customer, $module ): void {
		if ( ! $cart->id_address_invoice || ! $cart->nbProducts() || ! $cart->checkQuantities() ) {
			return;
		}
		Context::getContext()->cart = $cart;
		try {
			$module->validateOrder( (int) $cart->id, tillkit_state( 'waiting' ), (float) $cart->getOrderTotal( true, Cart::BOTH ), 'Tillkit', null, array(), (int) $cart->id_currency, false, $customer->secure_key );
		} catch ( Throwable $error ) {
			// The order may be there: another module threw an error after it was made.
			tillkit_log_foreign_error( $error );
		}
	};
	return tillkit_order_of_cart( $cart_id, $make );
}

/** The signed address of the hosted page; null if the checkout server cannot be asked for this order. */
function tillkit_start_payment( Tillkit_Prestashop_Order $order, int $now ): ?string {
	$link = tillkit_pay_link_for_order( $order, $now );
	if ( null === $link ) {
		return null;
	}
	$order->write_facts( tillkit_return_addresses( $order ) + array( 'language' => tillkit_host()->language() ) );
	tillkit_forget_shopper_status( $order );
	return $link;
}

/**
 * Where the shopper comes back to. The page on which they press Pay may have the address of a language, so what it writes is stored.
 *
 * @return array{return_url:string,retry_url:string}
 */
function tillkit_return_addresses( Tillkit_Prestashop_Order $order ): array {
	$names = array( 'order' => $order->id(), 'key' => $order->key() );
	return array(
		'return_url' => tillkit_page_url( 'return', $names ),
		'retry_url'  => tillkit_page_url( 'return', $names + array( 'cancel' => '1' ) ),
	);
}
