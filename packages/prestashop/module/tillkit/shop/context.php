<?php
/** The shop of the request: which shop of a multistore an order belongs to, and whose request the shop takes this for. */

defined( '_PS_VERSION_' ) || exit;

/** The order of a call, as if its customer were here: hooks of the shop and of other modules read the cart, the currency and the customer of the page. */
function tillkit_enter_order( Tillkit_Prestashop_Order $order ): void {
	$context           = Context::getContext();
	$row               = $order->first();
	$context->customer = new Customer( (int) $row['id_customer'] );
	$context->cart     = new Cart( (int) $row['id_cart'] );
	$context->currency = new Currency( (int) $row['id_currency'] );
}

/** All orders of the cart of an order, if our module made them; from now on the settings are those of their shop. */
function tillkit_order_of_shop_order( int $order_id ): ?Tillkit_Prestashop_Order {
	$rows  = tillkit_select( 'SELECT t.`id_order` FROM `' . _DB_PREFIX_ . 'tillkit_order` t JOIN `' . _DB_PREFIX_ . "orders` o ON o.`id_cart` = t.`id_cart` WHERE o.`id_order` = $order_id" );
	$order = array() === $rows ? null : tillkit_fresh_order( (int) $rows[0]['id_order'] );
	if ( null !== $order ) {
		tillkit_host()->use_shop( (int) $order->first()['id_shop'] );
	}
	return $order;
}

/** Names of settings have 254 characters at most, and small letters count as capitals. */
function tillkit_configuration_name( string $name ): string {
	return 'TILLKIT_' . strtoupper( $name );
}

/** @param array<string,string> $query A page of the module. */
function tillkit_page_url( string $controller, array $query = array() ): string {
	return (string) Context::getContext()->link->getModuleLink( 'tillkit', $controller, $query, true );
}

/** The address of a style or script, as HTML. Browsers keep a file as long as its address stays. */
function tillkit_bridge_file( string $path ): string {
	$module = tillkit_host()->module();
	return tillkit_html( $module->getPathUri() . "bridge/$path?v={$module->version}" );
}

function tillkit_admin_url(): string {
	return (string) Context::getContext()->link->getAdminLink( 'AdminTillkit' );
}

/** The title of the payment method at the checkout. */
function tillkit_method_title( string $currency ): string {
	$title = tillkit_takes_currency( 'mobile-money', $currency ) ? tillkit_text( 'Mobile money or card' ) : tillkit_text( 'Card' );
	/* translators: %s: the title of the payment method, in test mode */
	return tillkit_has_test_badge() ? sprintf( tillkit_text( '%s (test)' ), $title ) : $title;
}

/** How the order was paid, wherever the shop names it. */
function tillkit_method_text( string $provider ): string {
	return '' === $provider ? 'Tillkit' : 'Tillkit (' . tillkit_provider_name( $provider ) . ')';
}
