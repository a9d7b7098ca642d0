<?php
/** Shows orders to the checkout server, which knows this shop by nothing else. */

defined( '_PS_VERSION_' ) || exit;

/** Longer lists of items end in "…". */
const TILLKIT_MAX_ITEMS_CHARACTERS = 300;

/** Countries of the CFA franc: no number begins with a zero that is left out abroad. */
const TILLKIT_PHONE_COUNTRIES = array( 'BJ', 'BF', 'CI', 'GW', 'ML', 'NE', 'SN', 'TG' );

/** @param array{order:string,key:string} $fields An empty key is that of the checkout server's sweep. */
function tillkit_read_order( array $fields ): array {
	$order = '' === $fields['key'] ? tillkit_host()->order( $fields['order'] ) : tillkit_order_of_call( $fields );
	if ( null === $order ) {
		return array( 'outcome' => 'gone' );
	}
	// A payment whose call died is not shown before its next call has ended: the checkout server would not make that call.
	$is_begun  = '' !== tillkit_own_payment( $order ) && ! $order->is_recorded();
	$paid_by   = $is_begun ? null : tillkit_paid_by( $order );
	$language  = $order->fact( 'language' );
	$stored    = array( 'return_url' => $order->fact( 'return_url' ), 'retry_url' => $order->fact( 'retry_url' ) );
	$addresses = array_filter( $stored, 'strlen' ) + tillkit_return_addresses( $order );
	return array(
		'outcome' => 'read',
		'order'   => array(
			'order'          => $order->id(),
			'number'         => $order->number(),
			'key'            => $order->key(),
			'total'          => $order->total(),
			'currency'       => $order->currency(),
			'status'         => $order->status(),
			'payable'        => null === $paid_by && ( $is_begun ? ! tillkit_is_closed( $order ) : tillkit_is_payable( $order ) ),
			'closed'         => tillkit_is_closed( $order ),
			'ours'           => 'tillkit' === $order->module_name(),
			'paid_by'        => $paid_by,
			'marked_by'      => 'owner' === $paid_by ? json_decode( $order->fact( 'set_paid' ), true ) : null,
			'language'       => '' === $language ? tillkit_host()->language() : $language,
			'title'          => tillkit_host()->shop()['name'],
			'items'          => tillkit_items_text( $order ),
			'customer'       => tillkit_customer_fields( $order ),
			'return_url'     => $addresses['return_url'],
			'retry_url'      => $addresses['retry_url'],
			'urls_signature' => tillkit_sign_return( $order, $addresses['return_url'], $addresses['retry_url'] ),
			'refunds'        => array_map( 'tillkit_read_refund', tillkit_refunds( $order ) ),
		),
	);
}

/** A refund that the service has not named yet goes by its key. */
function tillkit_read_refund( array $refund ): array {
	return array(
		'refund'     => '' === $refund['refund'] ? $refund['refund_key'] : $refund['refund'],
		'refund_key' => $refund['refund_key'],
		'amount'     => $refund['amount'],
	);
}

/** Money that arrives for it is the owner's to decide about. */
function tillkit_is_closed( Tillkit_Prestashop_Order $order ): bool {
	$closed = array_map( 'intval', array( Configuration::get( 'PS_OS_CANCELED' ), Configuration::get( 'PS_OS_ERROR' ), Configuration::get( 'PS_OS_REFUND' ) ) );
	return array() !== array_intersect( $order->states(), $closed );
}

function tillkit_items_text( Tillkit_Prestashop_Order $order ): string {
	$ids   = implode( ', ', array_keys( $order->states() ) );
	$items = array();
	foreach ( tillkit_select( 'SELECT `product_quantity`, `product_name` FROM `' . _DB_PREFIX_ . "order_detail` WHERE `id_order` IN ($ids) ORDER BY `id_order_detail`" ) as $row ) {
		$items[] = (int) $row['product_quantity'] . ' × ' . $row['product_name'];
	}
	$text = implode( ', ', $items );
	return preg_match( '/^.{' . TILLKIT_MAX_ITEMS_CHARACTERS . '}/us', $text, $cut ) ? $cut[0] . '…' : $text;
}

/** @return array{name:?string,email:?string,phone:?string} */
function tillkit_customer_fields( Tillkit_Prestashop_Order $order ): array {
	$row = tillkit_select( 'SELECT a.`firstname`, a.`lastname`, a.`phone`, a.`phone_mobile`, c.`iso_code`, c.`call_prefix`, u.`email` FROM `' . _DB_PREFIX_ . 'orders` o'
		. ' LEFT JOIN `' . _DB_PREFIX_ . 'address` a ON a.`id_address` = o.`id_address_invoice` LEFT JOIN `' . _DB_PREFIX_ . 'country` c ON c.`id_country` = a.`id_country`'
		. ' LEFT JOIN `' . _DB_PREFIX_ . 'customer` u ON u.`id_customer` = o.`id_customer` WHERE o.`id_order` = ' . (int) $order->id() )[0];
	$name  = trim( $row['firstname'] . ' ' . $row['lastname'] );
	$typed = '' === trim( (string) $row['phone_mobile'] ) ? (string) $row['phone'] : (string) $row['phone_mobile'];
	return array(
		'name'  => '' === $name ? null : $name,
		'email' => '' === (string) $row['email'] ? null : $row['email'],
		'phone' => tillkit_international_phone( $typed, (string) $row['iso_code'], (string) $row['call_prefix'] ),
	);
}

/** Shoppers type a number as they say it. Null where nobody can know the country's code. */
function tillkit_international_phone( string $typed, string $country, string $prefix ): ?string {
	$digits = (string) preg_replace( '/\D/', '', $typed );
	if ( preg_match( '/^\s*(\+|00)/', $typed ) ) {
		return '+' . preg_replace( '/^00/', '', $digits );
	}
	if ( '' === $digits || '0' === $prefix || ! in_array( $country, TILLKIT_PHONE_COUNTRIES, true ) ) {
		return null;
	}
	return 0 === strpos( $digits, $prefix ) && strlen( $digits ) > 10 ? "+$digits" : "+$prefix$digits";
}

/**
 * Orders of this shop that changed, those of one cart once.
 *
 * @param array{since:int,after:?string} $fields
 */
function tillkit_list_orders( array $fields ): array {
	$limit = TILLKIT_LISTED_ORDERS + 1;
	$rows  = tillkit_select(
		'SELECT t.`id_order`, t.`order_key`, MAX(o.`date_upd`) AS `changed` FROM `' . _DB_PREFIX_ . 'tillkit_order` t JOIN `' . _DB_PREFIX_ . 'orders` o ON o.`id_cart` = t.`id_cart`'
		. " WHERE o.`date_upd` >= '" . date( 'Y-m-d H:i:s', $fields['since'] ) . "' AND o.`id_shop` = " . tillkit_host()->shop_id() . ' AND t.`id_order` > ' . (int) $fields['after']
		. " GROUP BY t.`id_order`, t.`order_key` ORDER BY t.`id_order` LIMIT $limit"
	);
	$orders = array();
	foreach ( array_slice( $rows, 0, TILLKIT_LISTED_ORDERS ) as $row ) {
		$order    = tillkit_fresh_order( (int) $row['id_order'] );
		$orders[] = array(
			'order'   => (string) $row['id_order'],
			'key'     => (string) $row['order_key'],
			'status'  => null === $order ? '' : $order->status(),
			'changed' => (int) strtotime( (string) $row['changed'] ),
		);
	}
	return array(
		'orders' => $orders,
		'next'   => count( $rows ) === $limit ? end( $orders )['order'] : null,
	);
}
