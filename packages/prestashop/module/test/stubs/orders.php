<?php
/** Orders, carts and vouchers of the shop: no lock anywhere, and values that are read early are saved late. */

final class Currency {
	public $id;
	public $iso_code;
	public $precision;

	public function __construct( int $id ) {
		$row             = Db::getInstance()->executeS( "SELECT * FROM ps_currency WHERE id_currency = $id", true, false )[0];
		$this->id        = $id;
		$this->iso_code  = $row['iso_code'];
		$this->precision = (int) $row['precision'];
	}
}

final class Customer {
	public $id;
	public $secure_key;

	public function __construct( int $id ) {
		$this->id         = $id;
		$this->secure_key = "key-of-customer-$id";
	}
}

final class Validate {
	public static function isLoadedObject( $object ): bool {
		return is_object( $object ) && (int) $object->id > 0;
	}
}

final class CartRule {
	public $id;

	/** The rest of a voucher that is larger than the cart. */
	public function add(): bool {
		Db::getInstance()->execute( 'INSERT INTO ps_cart_rule (quantity, active, leaves_rest) VALUES (1, 1, 0)' );
		$this->id = Db::getInstance()->Insert_ID();
		Hook::exec( 'actionObjectCartRuleAddAfter', array( 'object' => $this ) );
		return true;
	}
}

final class Cart {
	const BOTH = 3;
	public $id = 0;
	public $id_customer;
	public $id_shop;
	public $secure_key;
	public $id_currency        = 1;
	public $id_address_invoice = 3;
	public $totals             = array();
	public $id_voucher         = 0;

	public function __construct( int $id = 0 ) {
		$rows = Db::getInstance()->executeS( "SELECT * FROM ps_cart WHERE id_cart = $id", true, false );
		if ( array() !== $rows ) {
			$this->id          = $id;
			$this->id_customer = (int) $rows[0]['id_customer'];
			$this->id_shop     = (int) $rows[0]['id_shop'];
			$this->secure_key  = "key-of-customer-{$this->id_customer}";
			$this->totals      = array_filter( explode( ' ', $rows[0]['totals'] ) );
			$this->id_voucher  = (int) $rows[0]['id_voucher'];
		}
	}

	public function nbProducts(): int {
		return count( $this->totals );
	}

	public function checkQuantities(): bool {
		return (int) Db::getInstance()->getValue( 'SELECT quantity FROM ps_stock', false ) >= count( $this->totals );
	}

	public function getOrderTotal( bool $taxes, int $kind ): float {
		return array_sum( $this->totals );
	}

	/** The shop counts the products that it could copy: success is a number. */
	public function duplicate(): array {
		Db::getInstance()->execute( "INSERT INTO ps_cart (id_customer, id_shop, totals, id_voucher) VALUES ({$this->id_customer}, {$this->id_shop}, '" . implode( ' ', $this->totals ) . "', 0)" );
		return array( 'success' => 1, 'cart' => new Cart( Db::getInstance()->Insert_ID() ) );
	}
}

final class OrderState {
	public $id;
	public $deleted = false;
	public $name;
	public $color;
	public $module_name;
	public $unremovable;
	public $logable;
	public $paid;
	public $invoice;
	public $delivery;
	public $shipped;
	public $send_email;
	public $hidden;

	public function __construct( int $id = 0 ) {
		$this->id = Db::getInstance()->getValue( "SELECT id_order_state FROM ps_order_state WHERE id_order_state = $id", false ) ? $id : 0;
	}

	public function add(): bool {
		Db::getInstance()->execute( 'INSERT INTO ps_order_state (paid) VALUES (' . (int) $this->paid . ')' );
		$this->id = Db::getInstance()->Insert_ID();
		foreach ( $this->name as $language => $name ) {
			Db::getInstance()->execute( "INSERT INTO ps_order_state_lang VALUES ({$this->id}, $language, '" . pSQL( $name ) . "')" );
		}
		return true;
	}
}

final class OrderHistory {
	public $id_order;
	public $id_order_state;
	public $id_employee;

	public function addWithemail(): bool {
		Db::getInstance()->execute( "INSERT INTO ps_order_history (id_order, id_order_state, date_add) VALUES ({$this->id_order}, {$this->id_order_state}, '" . date( 'Y-m-d H:i:s' ) . "')" );
		if ( in_array( (int) $this->id_order_state, array( 2, 6 ), true ) ) {
			Mail::Send( 1, 2 === (int) $this->id_order_state ? 'payment' : 'order_canceled', 'State', array(), 'awa@example.com' );
		}
		return true;
	}
}

final class Order {
	public $id;
	public $reference;
	public $current_state;
	public $total_paid;
	public $total_paid_real;

	/** The shop reads an order once in a request. */
	public function __construct( int $id ) {
		$key = "objectmodel_Order_{$id}_0_0";
		if ( ! isset( Cache::$objects[ $key ] ) ) {
			Cache::$objects[ $key ] = Db::getInstance()->executeS( "SELECT * FROM ps_orders WHERE id_order = $id", true, false )[0];
		}
		foreach ( array( 'reference', 'current_state', 'total_paid', 'total_paid_real' ) as $name ) {
			$this->$name = Cache::$objects[ $key ][ $name ];
		}
		$this->id = $id;
	}

	/** Saves every field as it was read. */
	private function save(): void {
		Db::getInstance()->execute( "UPDATE ps_orders SET current_state = {$this->current_state}, total_paid_real = {$this->total_paid_real}, date_upd = '" . date( 'Y-m-d H:i:s' ) . "' WHERE id_order = {$this->id}" );
	}

	public function addOrderPayment( $amount, $method = null, $transaction = null ): bool {
		Db::getInstance()->execute( "INSERT INTO ps_order_payment (order_reference, amount, transaction_id, payment_method) VALUES ('{$this->reference}', $amount, '" . pSQL( (string) $transaction ) . "', '" . pSQL( (string) $method ) . "')" );
		$this->total_paid_real += $amount;
		$this->save();
		return true;
	}

	/** The sequence of the shop: hook, stock, orders, missing payment row, hook, history. No transaction, and no second look at the database. */
	public function setCurrentState( int $state, int $employee = 0 ): bool {
		$old = (int) $this->current_state;
		if ( $state === $old ) {
			return false;
		}
		$paid = (int) ( STATES[ $state ] ?? 0 );
		$hook = array( 'newOrderStatus' => (object) array( 'id' => $state, 'paid' => $paid ), 'oldOrderStatus' => (object) array( 'id' => $old ), 'id_order' => $this->id );
		Hook::exec( 'actionOrderStatusUpdate', $hook );
		usleep( 1000 );
		$this->move_stock( $old, $state, 1 === $paid );
		$this->current_state = $state;
		if ( 1 === $paid ) {
			$had     = (float) Db::getInstance()->getValue( "SELECT COALESCE(SUM(amount), 0) FROM ps_order_payment WHERE order_reference = '{$this->reference}'", false );
			$missing = (float) Db::getInstance()->getValue( "SELECT SUM(total_paid) FROM ps_orders WHERE reference = '{$this->reference}'", false ) - $had;
			if ( $missing > 0 ) {
				usleep( 1000 );
				$this->addOrderPayment( $missing );
			}
		}
		$this->save();
		Hook::exec( 'actionOrderStatusPostUpdate', $hook );
		$history                 = new OrderHistory();
		$history->id_order       = $this->id;
		$history->id_order_state = $state;
		return $history->addWithemail();
	}

	/** A cancelled order gives its stock back. Only a paid state takes it again: a cancelled order that is held and then paid takes none. */
	private function move_stock( int $old, int $state, bool $is_paid ): void {
		$ended = array( 6, 8 );
		if ( in_array( $state, $ended, true ) && ! in_array( $old, $ended, true ) ) {
			Db::getInstance()->execute( 'UPDATE ps_stock SET quantity = quantity + 1' );
		} elseif ( $is_paid && in_array( $old, $ended, true ) ) {
			Db::getInstance()->execute( 'UPDATE ps_stock SET quantity = quantity - 1' );
		}
	}

	public static function getIdByCartId( int $cart ) {
		return Db::getInstance()->getValue( "SELECT id_order FROM ps_orders WHERE id_cart = $cart" );
	}
}

/** Looks for an order, and then inserts one, for each carrier. Takes the stock, the voucher and sends the e-mail at once. */
abstract class PaymentModule extends Module {
	public function validateOrder( $cart_id, $state, $amount = 0.0, $method = 'Unknown', $message = null, $extra = array(), $currency = null, $untouched = false, $secure_key = false, $shop = null ) {
		if ( Db::getInstance()->getValue( "SELECT id_order FROM ps_orders WHERE id_cart = $cart_id", false ) ) {
			throw new Exception( 'The cart cannot be loaded or an order has already been placed using this cart' );
		}
		$cart = new Cart( $cart_id );
		usleep( 3000 );
		$reference = strtoupper( substr( md5( random_bytes( 8 ) ), 0, 9 ) );
		foreach ( $cart->totals as $total ) {
			Db::getInstance()->execute( "INSERT INTO ps_orders (reference, id_cart, id_customer, id_shop, id_lang, id_address_invoice, secure_key, id_currency, current_state, module, total_paid, total_paid_real, date_upd) VALUES ('$reference', $cart_id, {$cart->id_customer}, {$cart->id_shop}, 1, 3, '{$cart->secure_key}', 1, $state, '{$this->name}', $total, 0, '" . date( 'Y-m-d H:i:s' ) . "')" );
			$id = Db::getInstance()->Insert_ID();
			Db::getInstance()->execute( "INSERT INTO ps_order_detail (id_order, product_name, product_quantity) VALUES ($id, 'Coffee', 2)" );
			Db::getInstance()->execute( 'UPDATE ps_stock SET quantity = quantity - 1' );
			$this->take_voucher( $cart, $id );
			Db::getInstance()->execute( "INSERT INTO ps_order_history (id_order, id_order_state, date_add) VALUES ($id, $state, '" . date( 'Y-m-d H:i:s' ) . "')" );
			Mail::Send( 1, 'order_conf', 'Order confirmation', array( '{payment}' => 'Tillkit (waiting for validation)' ), 'awa@example.com', 'name', null, null, null, null, '/mails/', false, 1 );
			Hook::exec( 'actionValidateOrder', array( 'order' => $id ) );
		}
		return true;
	}

	private function take_voucher( Cart $cart, int $order_id ): void {
		if ( 0 === $cart->id_voucher ) {
			return;
		}
		Db::getInstance()->execute( "INSERT INTO ps_order_cart_rule (id_order, id_cart_rule) VALUES ($order_id, {$cart->id_voucher})" );
		Db::getInstance()->execute( "UPDATE ps_cart_rule SET quantity = quantity - 1 WHERE id_cart_rule = {$cart->id_voucher}" );
		if ( Db::getInstance()->getValue( "SELECT leaves_rest FROM ps_cart_rule WHERE id_cart_rule = {$cart->id_voucher}", false ) ) {
			( new CartRule() )->add();
		}
	}
}
