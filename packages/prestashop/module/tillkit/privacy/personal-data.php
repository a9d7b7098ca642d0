<?php
/** A customer's personal data, for PrestaShop's own module for it (psgdpr): what the checkout server and this module store. */

defined( '_PS_VERSION_' ) || exit;

/** Each order costs a call to the checkout server, and a page of the shop ends after a while. */
const TILLKIT_PERSONAL_DATA_SECONDS = 60;

/** Facts of an order that nothing needs any more once its payments are final. */
const TILLKIT_ERASABLE_FACTS = array( 'language', 'return_url', 'retry_url' );

/**
 * Versions of the other module name a customer differently: by the fields of the customer, or in a list of one, by an object with the id, or by an
 * e-mail address alone.
 *
 * @return Tillkit_Prestashop_Order[] All orders of that customer, of every shop.
 */
function tillkit_orders_of_customer( array $params ): array {
	$named = $params[0] ?? $params;
	$id    = is_object( $named ) && method_exists( $named, 'getValue' ) ? $named->getValue() : ( ( (array) $named )['id'] ?? 0 );
	$email = is_array( $named ) && is_string( $named['email'] ?? null ) ? $named['email'] : '';
	$rows  = tillkit_select(
		'SELECT t.`id_order` FROM `' . _DB_PREFIX_ . 'tillkit_order` t JOIN `' . _DB_PREFIX_ . 'orders` o ON o.`id_order` = t.`id_order` LEFT JOIN `' . _DB_PREFIX_ . 'customer` c ON c.`id_customer` = o.`id_customer`'
		. ' WHERE ' . ( (int) $id > 0 ? 'o.`id_customer` = ' . (int) $id : "c.`email` <> '' AND c.`email` = " . tillkit_sql( $email ) ) . ' ORDER BY t.`id_order`'
	);
	return array_filter( array_map( 'tillkit_fresh_order', array_map( 'intval', array_column( $rows, 'id_order' ) ) ) );
}

/** @return array<int,array<string,string>> Rows with the same columns. Where something is missing, the last row says so. */
function tillkit_export_of_customer( array $params, int $begun ): array {
	$rows = array();
	foreach ( tillkit_orders_of_customer( $params ) as $order ) {
		tillkit_host()->use_shop( (int) $order->first()['id_shop'] );
		$exported = time() - $begun < TILLKIT_PERSONAL_DATA_SECONDS ? tillkit_export_order( $order ) : tillkit_not_in_time();
		$problem  = $exported instanceof Tillkit_Error ? array( array( 'name' => '', 'value' => $exported->message ) ) : null;
		// The first row names the order, which each row does here.
		foreach ( $problem ?? array_slice( $exported, 1 ) as $row ) {
			$rows[] = array( tillkit_text( 'Order' ) => $order->number(), tillkit_text( 'Payment' ) => trim( "{$row['name']}: {$row['value']}", ': ' ) );
		}
		if ( null !== $problem ) {
			break;
		}
	}
	return $rows;
}

/** The ids of payments stay: bookkeeping and refunds need them. What is kept is noted on its order, because the other module shows no answer. */
function tillkit_erase_customer( array $params, int $begun ): void {
	foreach ( tillkit_orders_of_customer( $params ) as $order ) {
		tillkit_host()->use_shop( (int) $order->first()['id_shop'] );
		$problem = time() - $begun < TILLKIT_PERSONAL_DATA_SECONDS ? tillkit_erase_at_checkout_server( $order ) : tillkit_not_in_time()->message;
		if ( null !== $problem ) {
			/* translators: %s: a sentence */
			$order->add_note( sprintf( tillkit_text( 'The customer’s personal data was not erased at the checkout server: %s' ), $problem ) );
			continue;
		}
		$order->write_facts( array_fill_keys( TILLKIT_ERASABLE_FACTS, '' ) );
		tillkit_change_rows( 'DELETE FROM `' . _DB_PREFIX_ . 'tillkit_withheld` WHERE `id_voucher` = 0 AND `id_cart` = ' . $order->cart_id() );
	}
}

function tillkit_not_in_time(): Tillkit_Error {
	return new Tillkit_Error( 'tillkit_not_in_time', tillkit_text( 'The checkout server took too long: try again.' ), 503 );
}
