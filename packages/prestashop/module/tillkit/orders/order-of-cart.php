<?php
/**
 * The order that a cart becomes before it is paid. The shop itself makes an order for each of two simultaneous clicks: it looks for an order
 * and then inserts one, without a lock and without a unique key.
 */

defined( '_PS_VERSION_' ) || exit;

/** How long a click waits for the click before it, which is making the order. */
const TILLKIT_CART_LOCK_SECONDS = 20;

/**
 * The order of the cart, made in the state "waiting" if the cart has none. Null if another request has been making it for too long.
 *
 * @param callable $make Makes the order of the cart: PaymentModule::validateOrder().
 */
function tillkit_order_of_cart( int $cart_id, callable $make ): ?Tillkit_Prestashop_Order {
	return tillkit_with_lock(
		"cart $cart_id",
		TILLKIT_CART_LOCK_SECONDS,
		static function () use ( $cart_id, $make ): ?Tillkit_Prestashop_Order {
			if ( array() === tillkit_order_ids_of_cart( $cart_id ) ) {
				tillkit_withhold_of_cart( $cart_id, $make );
			}
			// A request that died between both steps left an order without a row. Another module may have made the order of this cart.
			$ids = tillkit_order_ids_of_cart( $cart_id, 'tillkit' );
			if ( array() === $ids ) {
				return null;
			}
			tillkit_add_order_row( $ids[0], $cart_id );
			return tillkit_fresh_order( $ids[0] );
		}
	);
}

/**
 * Asked by SQL: the shop's own method answers from its cache, and finds no order of another shop of the multistore. Products of different
 * carriers make several orders of one cart.
 *
 * @param string|null $module Only those of this payment module.
 * @return int[] The first order first.
 */
function tillkit_order_ids_of_cart( int $cart_id, ?string $module = null ): array {
	$of_module = null === $module ? '' : ' AND `module` = ' . tillkit_sql( $module );
	$rows      = tillkit_select( 'SELECT `id_order` FROM `' . _DB_PREFIX_ . "orders` WHERE `id_cart` = $cart_id$of_module ORDER BY `id_order`" );
	return array_map( 'intval', array_column( $rows, 'id_order' ) );
}

/** An order's own key: the shop's `secure_key` is that of the customer, the same for all their orders. */
function tillkit_add_order_row( int $order_id, int $cart_id ): void {
	Db::getInstance()->execute(
		'INSERT IGNORE INTO `' . _DB_PREFIX_ . "tillkit_order` (`id_order`, `id_cart`, `order_key`, `facts`) VALUES ($order_id, $cart_id, '" . bin2hex( random_bytes( 16 ) ) . "', '{}')",
		false
	);
}
