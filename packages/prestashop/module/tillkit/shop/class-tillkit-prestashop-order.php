<?php
/** All orders of one cart, as the bridge sees them: their ids are that of the first, and their total is the sum. */

defined( '_PS_VERSION_' ) || exit;

final class Tillkit_Prestashop_Order implements Tillkit_Order {

	/** @var array<string,string|null> The row of tillkit_order. */
	private $row;

	/** @var array<int,array<string,string|null>> The rows of the orders, the first order first. */
	private $orders;

	public function __construct( array $row, array $orders ) {
		$this->row    = $row;
		$this->orders = $orders;
	}

	public function id(): string {
		return (string) $this->row['id_order'];
	}

	public function key(): string {
		return (string) $this->row['order_key'];
	}

	public function number(): string {
		return (string) $this->orders[0]['reference'];
	}

	public function total(): string {
		$rows = tillkit_select( 'SELECT SUM(`total_paid`) AS total FROM `' . _DB_PREFIX_ . 'orders` WHERE `id_cart` = ' . $this->cart_id() );
		return (string) $rows[0]['total'];
	}

	public function currency(): string {
		$rows = tillkit_select( 'SELECT `iso_code` FROM `' . _DB_PREFIX_ . 'currency` WHERE `id_currency` = ' . (int) $this->orders[0]['id_currency'] );
		return (string) ( $rows[0]['iso_code'] ?? '' );
	}

	public function fact( string $name ): string {
		if ( 'payment_id' === $name ) {
			return (string) $this->row['payment_id'];
		}
		$facts = json_decode( (string) $this->row['facts'], true );
		return is_string( $facts[ $name ] ?? null ) ? $facts[ $name ] : '';
	}

	/** Another request may write other facts at the same time, so the facts are replaced only where they are still those that were read. */
	public function write_facts( array $facts ): void {
		for ( $try = 0; $try < 20; ++$try ) {
			$rows   = tillkit_select( 'SELECT `facts`, `decision` FROM `' . _DB_PREFIX_ . 'tillkit_order` WHERE `id_order` = ' . (int) $this->id() );
			$stored = (string) ( $rows[0]['facts'] ?? '' );
			$all    = array_filter( $facts + (array) json_decode( $stored, true ), 'strlen' );
			$json   = tillkit_json( (object) $all );
			// The list of orders shows and filters by this column.
			$decision                = trim( ( $all['decision'] ?? '' ) . ' ' . ( $all['attention'] ?? '' ) );
			$this->row['facts']      = $json;
			$has_changed             = $json !== $stored || $decision !== (string) ( $rows[0]['decision'] ?? '' );
			$statement               = 'UPDATE `' . _DB_PREFIX_ . 'tillkit_order` SET `facts` = ' . tillkit_sql( $json ) . ', `decision` = ' . tillkit_sql( $decision ) . ' WHERE `id_order` = ' . (int) $this->id() . ' AND `facts` = ' . tillkit_sql( $stored );
			if ( array() === $rows || ! $has_changed || 1 === tillkit_change_rows( $statement ) ) {
				return;
			}
		}
		throw new RuntimeException( 'The facts of an order change all the time.' );
	}

	public function add_note( string $text ): void {
		tillkit_store_note( (int) $this->id(), $text );
	}

	public function cart_id(): int {
		return (int) $this->row['id_cart'];
	}

	/** By which the shop knows the row of the payment that has claimed the order; empty if none has. */
	public function transaction(): string {
		return (string) $this->row['transaction_id'];
	}

	/** Whether the payment that the row names has been recorded to its end. */
	public function is_recorded(): bool {
		return '1' === (string) $this->row['is_recorded'];
	}

	/** @return array<int,int> Order id => its state. */
	public function states(): array {
		return array_map( 'intval', array_column( $this->orders, 'current_state', 'id_order' ) );
	}

	/** @return array<string,string|null> The row of the first order. */
	public function first(): array {
		return $this->orders[0];
	}

	/** Waiting, review, cancelled, error, refunded or paid; a state of the owner's by its number. Of several orders that of the first. */
	public function status(): string {
		$state = (int) $this->orders[0]['current_state'];
		$names = array( tillkit_state( 'waiting' ) => 'waiting', tillkit_state( 'review' ) => 'review' );
		foreach ( array( 'PAYMENT' => 'paid', 'CANCELED' => 'cancelled', 'ERROR' => 'error', 'REFUND' => 'refunded' ) as $setting => $name ) {
			$names[ (int) Configuration::get( "PS_OS_$setting" ) ] = $name;
		}
		return $names[ $state ] ?? "state-$state";
	}

	/** The module that the shopper chose. The owner's orders have another one. */
	public function module_name(): string {
		return (string) $this->orders[0]['module'];
	}
}

/** The order as the database has it now. Null if it does not exist or was not made by this module. */
function tillkit_fresh_order( int $order_id ): ?Tillkit_Prestashop_Order {
	$rows   = tillkit_select( 'SELECT * FROM `' . _DB_PREFIX_ . 'tillkit_order` WHERE `id_order` = ' . $order_id );
	$orders = array() === $rows ? array() : tillkit_select( 'SELECT * FROM `' . _DB_PREFIX_ . 'orders` WHERE `id_cart` = ' . (int) $rows[0]['id_cart'] . ' ORDER BY `id_order`' );
	return array() === $orders ? null : new Tillkit_Prestashop_Order( $rows[0], $orders );
}
